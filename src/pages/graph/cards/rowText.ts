import { timeoutHandle } from '#agentFile/nodeKinds/nodeKind.ts';
import type { CardRow } from '../picture/graphTypes.ts';

/** Labels of a card that aren't in the file. */
export interface CardLabels {
	/** Titles of node types; others are shown as they are in the file. */
	readonly types: Readonly<Record<string, string>>;
	/** Labels of handles without a name. */
	readonly onFailure: string;
	readonly onTimeout: string;
}

/** Returns the text of a card's row, without its bold head. */
export function getRowText({ handle, text }: CardRow, { onFailure, onTimeout }: CardLabels): string {
	return handle === 'fail-branch' ? onFailure : handle === timeoutHandle ? onTimeout : text;
}
