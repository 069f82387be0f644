import * as vscode from 'vscode';
import { Problem } from '#base/problems.ts';
import type { PromptColumn } from '#pages/prompt/promptMessages.ts';

/** URI scheme of the read-only documents that comparisons of answers show. */
const answerScheme = 'agent-workbench-answer';

const texts = new Map<string, string>();
/** Number of documents that were created, because each comparison needs new ones. */
let created = 0;

/** Registers the documents that comparisons of answers show. */
export function registerAnswerDocuments(): vscode.Disposable {
	return vscode.Disposable.from(
		vscode.workspace.registerTextDocumentContentProvider(answerScheme, {
			provideTextDocumentContent: uri => texts.get(uri.toString()) ?? '',
		}),
		vscode.workspace.onDidCloseTextDocument(({ uri }) => texts.delete(uri.toString())),
	);
}

/** Shows the differences between an answer and that of another column in VS Code's diff editor. Lets the user pick if there are several. */
export async function compareAnswers(column: PromptColumn, columns: readonly PromptColumn[]): Promise<void> {
	const others = columns.filter(({ id, answer }) => id !== column.id && answer?.text);
	const [first, second] = others;
	if (!first) {
		throw new Problem('no-answer', vscode.l10n.t('There is no other answer to compare with. Run another model first.'));
	}
	const other = second ? await pickColumn(others) : first;
	if (other) {
		const [left, right] = columns.indexOf(other) < columns.findIndex(({ id }) => id === column.id) ? [other, column] : [column, other];
		const title = vscode.l10n.t({ message: '{0} ↔ {1}', args: [left.model, right.model], comment: ['{0} and {1} are names of models'] });
		await vscode.commands.executeCommand('vscode.diff', createDocument(left), createDocument(right), title);
	}
}

async function pickColumn(columns: readonly PromptColumn[]): Promise<PromptColumn | undefined> {
	const items = columns.map(each => ({ label: each.model, description: each.connection, column: each }));
	return (await vscode.window.showQuickPick(items, { title: vscode.l10n.t('Compare with') }))?.column;
}

/** Returns the document of an answer as it is now. A later answer gets another document, because open ones don't change. */
function createDocument({ id, model, answer }: PromptColumn): vscode.Uri {
	const path = `/${model.replaceAll(/[^\w.-]+/g, '-')}.md`;
	const uri = vscode.Uri.from({ scheme: answerScheme, path, query: `${id}-${++created}` });
	texts.set(uri.toString(), answer?.text ?? '');
	return uri;
}
