// A temporary message of the dock: inside the strip on a desktop, as a bar above it on smaller screens.
import { type ReactNode, useEffect, useRef } from "react";
import { prefersReducedMotion } from "../react";

export interface Notice {
  words: string;
  before?: string[]; // the previous ids, if the change can be undone
}

const shownFor = 8000; // ms

interface Props {
  notice: Notice;
  wide: boolean;
  onEnd: () => void;
  children?: ReactNode;
}

/** NoticeLine ends when the shrinking line below it is gone; the line pauses under the pointer and the focus. */
export function NoticeLine({ notice, wide, onEnd, children }: Props) {
  const timeLine = useRef<HTMLElement>(null);
  const animation = useRef<Animation>(undefined);
  useEffect(() => {
    const transform = prefersReducedMotion() ? ["none", "none"] : ["none", "scaleX(0)"];
    const current = timeLine.current!.animate({ transform, transformOrigin: ["0 0", "0 0"] }, shownFor);
    animation.current = current;
    return () => current.cancel();
  }, []);
  useEffect(() => {
    animation.current!.onfinish = onEnd;
  }, [onEnd]);
  const pause = () => animation.current?.pause();
  const resume = () => animation.current?.play();
  return (
    <div
      className={
        wide
          ? "relative flex min-h-tap min-w-0 items-center gap-4 border-l border-rule pl-5 text-ui/snug"
          : "on-ink relative flex min-h-7.25 items-center justify-between gap-4 bg-ink px-4.5 " +
            "text-ui/snug text-paper"
      }
      data-notice=""
      onPointerEnter={pause}
      onPointerLeave={resume}
      onFocus={pause}
      onBlur={resume}
    >
      <p role="status">{notice.words}</p>
      {children}
      <i
        ref={timeLine}
        className={wide ? "absolute bottom-0 h-px bg-ink" : "absolute inset-x-0 bottom-0 h-0.5 bg-paper"}
        style={wide ? { left: "24px", right: 0 } : undefined}
        aria-hidden="true"
      />
    </div>
  );
}
