import { timeoutHandle } from '#agentFile/nodeKinds/nodeKind.ts';
import type { CardRow } from '../picture/graphTypes.ts';

/** Labels of handles that files have no name for. */
export interface HandleLabels {
	readonly onFailure: string;
	readonly onTimeout: string;
}

/** What a line of a card says after its head. */
export function rowText({ handle, text }: CardRow, { onFailure, onTimeout }: HandleLabels): string {
	return handle === 'fail-branch' ? onFailure : handle === timeoutHandle ? onTimeout : text;
}
