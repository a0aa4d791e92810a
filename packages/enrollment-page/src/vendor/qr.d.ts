// The gateway serves uqr at this place; it is loaded when the first code is drawn.
export declare function renderSVG(text: string, options?: { border?: number }): string;
