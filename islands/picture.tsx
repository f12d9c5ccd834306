/** The same as pictureProps in views/ui/picture.templ. */
export interface PictureProps {
  src: string; // empty for none
  srcset?: string;
  better?: { type: string; srcset: string }[]; // in better formats, best first
  sizes?: string;
  width?: number;
  height?: number;
}

/** Picture is a decorative image in its best format, drawn as ui.Picture does. */
export function Picture({ src, srcset, better = [], sizes, width, height }: PictureProps) {
  const img = (
    <img
      src={src}
      srcSet={srcset || undefined}
      sizes={srcset ? sizes : undefined}
      alt=""
      width={width || undefined}
      height={height || undefined}
      loading="lazy"
      decoding="async"
    />
  );
  if (better.length === 0) return img;
  return (
    <picture>
      {better.map(({ type, srcset }) => (
        <source key={type} type={type} srcSet={srcset} sizes={sizes} />
      ))}
      {img}
    </picture>
  );
}
