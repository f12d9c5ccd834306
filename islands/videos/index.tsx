// The videos of a profile: a thumbnail shows its video in the viewer, and only the play button loads it from the
// provider. If the thumbnails don't fit they are a strip.
import { type MouseEvent, useState } from "react";
import { Swiper, SwiperSlide } from "swiper/react";
import { Picture, type PictureProps } from "../picture";
import { isPlain } from "../plain";
import { island, KeptIcon } from "../react";
import { Steps, type StepWords } from "../steps";
import { useStrip } from "../strip";

/** The same as videosProps in views/videos.templ. */
export interface Props {
  videos: Video[];
  playing: number; // the one in the viewer, from 0
  play: string;
  list: string; // what the thumbnails are
  steps: StepWords;
}

interface Video {
  link: string; // of this page with the video
  page: string; // at its provider
  embed: string;
  name: string;
  title: string;
  note: string;
  large: PictureProps;
  small: PictureProps;
}

const slideDuration = 1000; // ms

export function Videos({ videos, playing, play, list, steps }: Props) {
  const [at, setAt] = useState(playing);
  const [started, setStarted] = useState(false);
  const strip = useStrip(videos.length, slideDuration);
  const video = videos[at]!;

  function start(event: MouseEvent): void {
    if (!isPlain(event)) return;
    event.preventDefault();
    setStarted(true);
  }

  function choose(event: MouseEvent, at: number): void {
    if (!isPlain(event)) return;
    event.preventDefault();
    setStarted(false);
    setAt(at);
    history.replaceState(history.state, "", videos[at]!.link);
  }

  return (
    <div className="lg:pt-5 print:hidden" data-gallery="video" suppressHydrationWarning>
      <div className="viewer">
        <Preview key={at} {...video.large} />
        <a className="play-link" href={video.page} rel="noopener" hidden={started} onClick={start}>
          <KeptIcon />
          <span>{play}</span>
        </a>
        {started && (
          <iframe
            className="absolute inset-0 size-full bg-ink"
            ref={(frame) => frame?.focus()}
            src={video.embed}
            title={video.title}
            allow="autoplay; fullscreen; encrypted-media; picture-in-picture"
            allowFullScreen
          />
        )}
      </div>
      {videos.length > 1 && (
        <>
          <Swiper {...strip.strip} className="thumbnails" role="group" aria-label={list}>
            {videos.map(({ link, name, small }, i) => (
              <SwiperSlide key={i} tag="li">
                <a href={link} aria-current={i === at || undefined} onClick={(event) => choose(event, i)}>
                  <Preview {...small} />
                  <span>{name}</span>
                </a>
              </SwiperSlide>
            ))}
          </Swiper>
          <div
            className={
              "hidden" + (videos.length > 6 ? " lg:block" : "") + (videos.length > 2 ? " max-lg:block" : "")
            }
          >
            <Steps words={steps} count="" first={strip.first} last={strip.last} go={strip.go} />
          </div>
        </>
      )}
      <p className="pb-5 pt-3 text-small/small text-ink-2">{video.note}</p>
    </div>
  );
}

function Preview(picture: PictureProps) {
  return picture.src ? <Picture {...picture} /> : <span className="block size-full bg-frame" data-blank="" />;
}

export default island(Videos);
