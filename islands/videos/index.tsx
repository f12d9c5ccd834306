// The films of a profile: a thumbnail puts its film into the viewer, and only the play button asks
// the provider for it. Thumbnails are a strip where there are more than fit.
import { type MouseEvent, useState } from "react";
import { Swiper, SwiperSlide } from "swiper/react";
import { Picture, type PictureProps } from "../picture";
import { island, KeptIcon, plain } from "../react";
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
  link: string; // of this page with the film
  page: string; // at its provider
  embed: string;
  name: string;
  title: string;
  note: string;
  large: PictureProps;
  small: PictureProps;
}

export function Videos({ videos, playing, play, list, steps }: Props) {
  const [at, setAt] = useState(playing);
  const [started, setStarted] = useState(false);
  const strip = useStrip(videos.length);
  const video = videos[at]!;

  function start(event: MouseEvent): void {
    if (!plain(event)) return;
    event.preventDefault();
    setStarted(true);
  }

  function choose(event: MouseEvent, at: number): void {
    if (!plain(event)) return;
    event.preventDefault();
    setStarted(false);
    setAt(at);
    history.replaceState(history.state, "", videos[at]!.link);
  }

  return (
    <div className="video" data-gallery="video" suppressHydrationWarning>
      <div className="video__view">
        <Preview key={at} {...video.large} />
        <a className="video__play" href={video.page} rel="noopener" hidden={started} onClick={start}>
          <KeptIcon />
          <span>{play}</span>
        </a>
        {started && (
          <iframe
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
          <Swiper
            {...strip.strip}
            className="video__strip"
            wrapperClass="video__thumbs"
            role="group"
            aria-label={list}
          >
            {videos.map(({ link, name, small }, i) => (
              <SwiperSlide key={i} tag="li" className="video__thumb">
                <a href={link} aria-current={i === at || undefined} onClick={(event) => choose(event, i)}>
                  <Preview {...small} />
                  <span>{name}</span>
                </a>
              </SwiperSlide>
            ))}
          </Swiper>
          <div
            className={
              "video__steps" +
              (videos.length > 6 ? " video__steps--desk" : "") +
              (videos.length > 2 ? " video__steps--phone" : "")
            }
          >
            <Steps words={steps} count="" first={strip.first} last={strip.last} go={strip.go} />
          </div>
        </>
      )}
      <p className="video__note small quiet">{video.note}</p>
    </div>
  );
}

function Preview(picture: PictureProps) {
  return picture.src ? <Picture {...picture} /> : <span className="video__blank" />;
}

export default island(Videos);
