import * as vscode from 'vscode';
import { messageOf } from '#base/problems.ts';
import { type LocalizableMessage, translateMessage } from '#base/text/localizableMessage.ts';

/** The message of an error in the editor's language if it is the client's ServiceError, whose values are known apart; else as it is. */
export function translateError(error: unknown): string {
	const message =
		error instanceof Error && error.name === 'ServiceError' ? (error as { localizable?: LocalizableMessage }).localizable : undefined;
	return message ? translateMessage(message, vscode.l10n.t) : messageOf(error);
}
