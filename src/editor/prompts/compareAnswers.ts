import * as vscode from 'vscode';
import { Problem } from '#base/problems.ts';
import type { PromptColumn } from '#pages/prompt/promptMessages.ts';
import type { ComparedTexts } from '../platform/comparedTexts.ts';

/** Shows the differences between an answer and that of another column in VS Code's diff editor. Lets the user pick if there are several. */
export async function compareAnswers(compared: ComparedTexts, column: PromptColumn, columns: readonly PromptColumn[]): Promise<void> {
	const others = columns.filter(({ id, answer }) => id !== column.id && answer?.text);
	const [first, second] = others;
	if (!first) {
		throw new Problem('no-answer', vscode.l10n.t('There is no other answer to compare with. Run another model first.'));
	}
	const other = second ? await pickColumn(others) : first;
	if (other) {
		const [left, right] = columns.indexOf(other) < columns.findIndex(({ id }) => id === column.id) ? [other, column] : [column, other];
		const title = vscode.l10n.t({ message: '{0} ↔ {1}', args: [left.model, right.model], comment: ['{0} and {1} are names of models'] });
		await compared.showDiff(title, createSide(left), createSide(right));
	}
}

async function pickColumn(columns: readonly PromptColumn[]): Promise<PromptColumn | undefined> {
	const items = columns.map(each => ({ label: each.model, description: each.connection, column: each }));
	return (await vscode.window.showQuickPick(items, { title: vscode.l10n.t('Compare with') }))?.column;
}

function createSide({ model, answer }: PromptColumn): { readonly name: string; readonly text: string } {
	return { name: `${model.replaceAll(/[^\w.-]+/g, '-')}.md`, text: answer?.text ?? '' };
}
