import * as vscode from 'vscode';
import { getErrorMessage, Problem, type Remedy } from '#base/problems.ts';
import type { DifyLink } from '#dify/linkTypes.ts';
import type { AppWork } from './appWork.ts';
import { showMessage } from './dialogues.ts';
import { readFileText } from './fileTexts.ts';
import { writeSidecar } from './pullWriting.ts';

/** A file and its app that both changed since they last matched. */
interface Conflict {
	readonly uri: vscode.Uri;
	readonly appName: string;
	/** Text of both when they last matched. */
	readonly base: string;
	readonly here: string;
	/** Text of the app, in the format of the file. */
	readonly there: string;
	/** Link with the current state of the app. */
	readonly link: DifyLink;
}

const conflictMarker = /^(?:<{7}|>{7}) /m;

/**
 * Opens the merge editor for a file. When the user saves the file without conflicts, the app's current state becomes the base of the file's
 * link, so that the next push doesn't overwrite anything unseen.
 */
export async function mergeFile(parts: AppWork, conflict: Conflict): Promise<void> {
	const { uri, appName, base, here, there, link } = conflict;
	const document = await vscode.workspace.openTextDocument(uri);
	// a document's text has no byte order mark, and one inside the text would be part of a key
	const [hereText, thereText] = [removeMark(here), removeMark(there)];
	if (document.getText() !== hereText || (await readFileText(uri)) !== here) {
		const name = vscode.workspace.asRelativePath(uri);
		throw new Problem('changed-meanwhile', vscode.l10n.t("'{0}' has changed in the meantime, so it wasn't merged. Try again.", name));
	}
	await parts.backups.saveBackup({ origin: link.origin, appId: link.app_id, name: appName, side: 'here', text: here });
	// the merge editor only merges automatically if the file has markers; without that editor, the markers can be resolved in the text
	const edit = new vscode.WorkspaceEdit();
	const end = here.endsWith('\n') ? '' : '\n';
	const whole = new vscode.Range(document.positionAt(0), document.positionAt(document.getText().length));
	edit.replace(uri, whole, `<<<<<<< Local\n${hereText}${end}=======\n${thereText}${there.endsWith('\n') ? '' : '\n'}>>>>>>> Dify\n`);
	if (!(await vscode.workspace.applyEdit(edit))) {
		const name = vscode.workspace.asRelativePath(uri);
		throw new Problem('not-saved', vscode.l10n.t("Couldn't change '{0}'. It might be read-only.", name));
	}
	finishWhenSaved(parts, conflict);
	const createSide = (name: string, text: string) => parts.compared.createUri({ name, text });
	await vscode.commands.executeCommand('_open.mergeEditor', {
		base: createSide(`${appName} (base).yml`, base),
		input1: { uri: createSide(`${appName}.yml`, there), title: 'Dify' },
		input2: { uri: createSide(`${appName} (here).yml`, here), title: vscode.l10n.t('Local') },
		output: uri,
	});
}

/**
 * Waits until the file is saved without conflicts. Gives up if it's closed before, or if the merge is undone: later edits aren't part of
 * it.
 */
function finishWhenSaved(parts: AppWork, { uri, link, here, there }: Conflict): void {
	const isFile = (document: vscode.TextDocument) => document.uri.toString() === uri.toString();
	const listeners = [
		vscode.workspace.onDidSaveTextDocument(document => {
			if (!isFile(document) || conflictMarker.test(document.getText())) {
				return;
			}
			stopWaiting();
			// the same text as before means that the merge was undone: the app's changes were never seen
			if (!isSameText(document.getText(), here)) {
				writeSidecar(parts, uri, link, there).then(
					() => {
						const name = vscode.workspace.asRelativePath(uri);
						const push: Remedy = { title: vscode.l10n.t('Push…'), command: 'agentWorkbench.difyApp.push', arguments: [uri] };
						showMessage(vscode.l10n.t("Merged the changes in Dify into '{0}'. Push it to update the app.", name), [push]);
					},
					(error: unknown) => showMessage(getErrorMessage(error), [], 'warning'),
				);
			}
		}),
		vscode.workspace.onDidChangeTextDocument(({ document, reason }) => {
			// in the merge editor, the text can also be the same because only local changes are accepted so far
			const isUndone = reason === vscode.TextDocumentChangeReason.Undo || !document.isDirty;
			if (isFile(document) && isUndone && isSameText(document.getText(), here)) {
				stopWaiting();
			}
		}),
		vscode.workspace.onDidCloseTextDocument(document => isFile(document) && stopWaiting()),
	];
	const stopWaiting = () => {
		for (const listener of listeners) {
			listener.dispose();
		}
	};
}

function isSameText(left: string, right: string): boolean {
	const normalize = (text: string) => removeMark(text).replaceAll('\r\n', '\n');
	return normalize(left) === normalize(right);
}

function removeMark(text: string): string {
	return text.replace(/^\uFEFF/, '');
}
