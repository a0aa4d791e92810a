// The gateway serves htm/preact/standalone at this place: one module, no bare imports, nothing to bundle.
export { Component, type ComponentChildren, createContext, type VNode } from 'preact';
export * from 'preact/hooks';

import type { VNode } from 'preact';

export declare function render(tree: VNode, parent: Element): void;
export declare function html(strings: TemplateStringsArray, ...values: unknown[]): VNode;
