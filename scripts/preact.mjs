// React, in the scripts that are shipped. The default export, which swiper imports, has only what swiper uses: with
// preact's own every island would carry all of it.
import { Children, cloneElement, createElement, Fragment } from "preact/compat";

export * from "preact/compat";
export default { Children, cloneElement, createElement, Fragment };
