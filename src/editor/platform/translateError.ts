import * as vscode from 'vscode';
import { getErrorMessage } from '#base/problems.ts';
import { type LocalizableMessage, translateMessage } from '#base/text/localizableMessage.ts';

/** Returns the message of an error, translated if it is a ServiceError of the client or a Problem with a localizable message. */
export function translateError(error: unknown): string {
	const message =
		error instanceof Error && ['ServiceError', 'Problem'].includes(error.name)
			? (error as { localizable?: LocalizableMessage }).localizable
			: undefined;
	return message ? translateMessage(message, vscode.l10n.t) : getErrorMessage(error);
}
