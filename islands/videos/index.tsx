// The videos of a profile: a thumbnail shows its video in the viewer, and only the play button loads it from the
// provider. If the thumbnails don't fit they are a strip.
import { type MouseEvent, useState } from "react";
import { Swiper, SwiperSlide } from "swiper/react";
import { Picture, type PictureProps } from "../picture";
import { island, KeptIcon, isPlainClick } from "../react";
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
    if (!isPlainClick(event)) return;
    event.preventDefault();
    setStarted(true);
  }

  function choose(event: MouseEvent, at: number): void {
    if (!isPlainClick(event)) return;
    event.preventDefault();
    setStarted(false);
    setAt(at);
    history.replaceState(history.state, "", videos[at]!.link);
  }

  return (
    <div className="lg:pt-5 print:hidden" data-gallery="video" suppressHydrationWarning>
      <div
        className={
          "relative h-[300px] bg-ink max-lg:-mx-gutter lg:h-[600px] [&>picture]:contents [&_img]:size-full " +
          "[&_img]:bg-ink [&_img]:object-cover"
        }
      >
        <Preview key={at} {...video.large} />
        <a
          className={
            "absolute bottom-0 left-0 inline-flex min-h-[52px] items-center gap-3 bg-paper pl-[18px] pr-[22px] " +
            "text-ui no-underline"
          }
          href={video.page}
          rel="noopener"
          hidden={started}
          onClick={start}
        >
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
          <Swiper
            {...strip.strip}
            className={
              "overflow-clip pt-2 [overflow-clip-margin:6px] lg:pt-3 [&>ul]:flex [&>ul]:snap-x " +
              "[&>ul]:snap-mandatory [&>ul]:overflow-x-auto [&>ul]:[scrollbar-width:none]"
            }
            role="group"
            aria-label={list}
          >
            {videos.map(({ link, name, small }, i) => (
              <SwiperSlide
                key={i}
                tag="li"
                className={
                  "w-[calc((100%-8px)/2)] flex-none snap-start [&:not(:last-child)]:mr-2 " +
                  "lg:w-[calc((100%-60px)/6)] lg:[&:not(:last-child)]:mr-3 [&_:is(img,[data-blank])]:mb-2 " +
                  "[&_:is(img,[data-blank])]:aspect-[16/10] [&_:is(img,[data-blank])]:h-auto [&_img]:object-cover"
                }
              >
                <a
                  className={
                    "block border-b-2 border-transparent pb-2 text-small no-underline -outline-offset-2 " +
                    "hover:underline aria-current:border-ink"
                  }
                  href={link}
                  aria-current={i === at || undefined}
                  onClick={(event) => choose(event, i)}
                >
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
  return picture.src ? (
    <Picture {...picture} />
  ) : (
    <span className="block size-full bg-[#202020]" data-blank="" />
  );
}

export default island(Videos);
