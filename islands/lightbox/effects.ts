// React ends the layout effects of all components before it begins the new ones; Preact goes from
// component to component. The lightbox's zoom relies on React's order: going to an earlier picture,
// the picture that is left would otherwise switch the zoom of the new one off. These are Preact's own
// (mangled) names; the e2e test of the zoom tells when a new version has others.
import { options } from "preact";

interface Hook {
  __c?: () => void; // cleanup
}
interface Component {
  __h: Hook[]; // what runs after this render
}
type Commit = (root: unknown, components: Component[]) => void;

const internals = options as unknown as { __c?: Commit };
const commit = internals.__c;

internals.__c = (root, components) => {
  for (const { __h: hooks } of components)
    for (const hook of hooks) {
      const end = hook.__c;
      if (typeof end !== "function") continue;
      hook.__c = undefined;
      end();
    }
  commit?.(root, components);
};
