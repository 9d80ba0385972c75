/** Draws again only when something it was given is different. */
import { Component, type ComponentChild, type FunctionComponent, h } from "preact";

export function memo<P extends object>(draw: (props: P) => ComponentChild): FunctionComponent<P> {
  class Memo extends Component<P> {
    override shouldComponentUpdate(next: P): boolean {
      const names = Object.keys({ ...this.props, ...next }) as (keyof P)[];
      return names.some((name) => (this.props as P)[name] !== next[name]);
    }
    render(): ComponentChild {
      return h(draw as FunctionComponent<P>, this.props as P);
    }
  }
  return Memo as unknown as FunctionComponent<P>;
}
