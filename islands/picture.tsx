/** The same as pictureProps in views/ui/picture.templ. */
export interface PictureProps {
  src: string; // empty for none
  srcset?: string;
  avif?: string; // the srcset for browsers with AVIF
  sizes?: string;
  width?: number;
  height?: number;
}

/** Picture is a decorative image in its best format, drawn as ui.Picture does. */
export function Picture({ src, srcset, avif, sizes, width, height }: PictureProps) {
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
  if (!avif) return img;
  return (
    <picture>
      <source type="image/avif" srcSet={avif} sizes={sizes} />
      {img}
    </picture>
  );
}
