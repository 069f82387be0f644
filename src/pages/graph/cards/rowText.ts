import { timeoutHandle } from '#agentFile/nodeKinds/nodeKind.ts';
import type { CardRow } from '../picture/graphTypes.ts';

/** Labels of handles that have no name in the file. */
export interface HandleLabels {
	readonly onFailure: string;
	readonly onTimeout: string;
}

/** Returns the text of a card's row, without its bold head. */
export function getRowText({ handle, text }: CardRow, { onFailure, onTimeout }: HandleLabels): string {
	return handle === 'fail-branch' ? onFailure : handle === timeoutHandle ? onTimeout : text;
}
