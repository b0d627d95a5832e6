// Keeps browsers from translating words, names and codes: a translated option would be the answer, and a text that a
// browser has replaced can't be changed by a script. Elements with a language of their own have such texts, and those below.
import { options } from 'preact';

/** The elements that have names, words and codes. */
const ISOLATED: ReadonlySet<string> = new Set(['bdi', 'code']);

const before = options.vnode;

options.vnode = (vnode) => {
  const props = vnode.props as { lang?: string; translate?: boolean };
  // Preact sets the property, which is a boolean: `no` would be true.
  if (typeof vnode.type === 'string' && ('lang' in props || ISOLATED.has(vnode.type))) props.translate = false;
  before?.(vnode);
};
