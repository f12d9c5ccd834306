// The one Trusted Types policy of the site: what htmx and the head of a page are parsed from is an answer of the site,
// which the server has escaped and sanitised.

interface Policy {
  createHTML: (text: string) => string;
  createScript: (text: string) => string;
}

const policy: Policy = { createHTML: (text) => text, createScript: (text) => text };

/** trusted is the policy, also in a browser that has no Trusted Types. */
export const trusted: Policy =
  (
    globalThis as { trustedTypes?: { createPolicy: (name: string, policy: Policy) => Policy } }
  ).trustedTypes?.createPolicy("htmx", policy) ?? policy;
