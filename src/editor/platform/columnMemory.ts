import type * as vscode from 'vscode';
import type { ColumnWidths } from '#pages/shared/table/columnLayout.ts';

/** Remembers the column widths of a kind of page. */
export class ColumnMemory {
	readonly #memory: vscode.Memento;
	readonly #key: string;

	constructor(memory: vscode.Memento, page: string) {
		this.#memory = memory;
		this.#key = `columns.${page}`;
	}

	getWidths(): ColumnWidths {
		return this.#memory.get<ColumnWidths>(this.#key, {});
	}

	saveWidths({ widths }: { readonly widths: ColumnWidths }): Thenable<void> {
		return this.#memory.update(this.#key, widths);
	}
}
