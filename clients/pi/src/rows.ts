// Lines of the transcript, fitted to the width that pi has.
import { type Component, truncateToWidth, visibleWidth, wrapTextWithAnsi } from "@earendil-works/pi-tui";

/** Without a tail it wraps. With one it is cut to one line, and the head gives way to the tail as far as to half of the width. */
export interface Row {
	head: string;
	tail?: string;
}

export class Rows implements Component {
	readonly #rows: readonly Row[];
	#width = 0;
	#lines: string[] = [];

	constructor(rows: readonly Row[]) {
		this.#rows = rows;
	}

	render(width: number): string[] {
		if (width !== this.#width) {
			this.#width = width;
			this.#lines = this.#rows.flatMap((row) => fit(row, width));
		}
		return this.#lines;
	}

	/** The renderers are called anew when the theme changes. */
	invalidate(): void {}
}

function fit({ head, tail }: Row, width: number): string[] {
	if (tail === undefined) return wrapTextWithAnsi(head, width);
	const room = Math.max(width - visibleWidth(tail), Math.ceil(width / 2));
	return [truncateToWidth(truncateToWidth(head, room, "…") + tail, width, "…")];
}
