import * as vscode from 'vscode';
import { isEditableScheme } from '../../platform/names.ts';
import { formatBriefDuration, formatCodeBlock, toOneLine } from '../../platform/wording.ts';
import { isAgentFile } from '../files/isAgentFile.ts';
import type { NodeResults } from './nodeResults.ts';
import type { NodeText } from './nodeTexts.ts';

/** Maximum length of a value at the end of a line. */
const longestValue = 60;

/** Shows what each node put out in its last run, at the end of the line with its ID, until the node is edited. */
export class ResultHints implements vscode.InlayHintsProvider {
	readonly onDidChangeInlayHints: vscode.Event<void>;
	readonly #results: NodeResults;
	readonly #readNodeTexts: (document: vscode.TextDocument) => Promise<ReadonlyMap<string, NodeText>>;

	constructor(results: NodeResults, readNodeTexts: (document: vscode.TextDocument) => Promise<ReadonlyMap<string, NodeText>>) {
		this.#results = results;
		this.#readNodeTexts = readNodeTexts;
		this.onDidChangeInlayHints = results.onDidChange;
	}

	async provideInlayHints(document: vscode.TextDocument, range: vscode.Range): Promise<vscode.InlayHint[]> {
		const results = this.#results.getResults(document.uri);
		if (!results || !isEditableScheme(document.uri.scheme) || !isAgentFile(document)) {
			return [];
		}
		const { version } = document;
		const nodes = await this.#readNodeTexts(document);
		if (document.version !== version) {
			return [];
		}
		return [...results].flatMap(([id, { text, value, ms, key }]) => {
			const node = nodes.get(id);
			const { line } = document.positionAt(node?.offset ?? 0);
			if (node?.text !== text || line < range.start.line || line > range.end.line) {
				return [];
			}
			const part = new vscode.InlayHintLabelPart(
				['✓', formatBriefDuration(ms), ...(value === '' ? [] : ['→', toOneLine(value, longestValue)])].join(' '),
			);
			part.tooltip = new vscode.MarkdownString(formatCodeBlock(value, 'text'));
			part.command = { title: vscode.l10n.t('Inspect this run'), command: 'agentWorkbench.run.inspect', arguments: [key] };
			return [Object.assign(new vscode.InlayHint(document.lineAt(line).range.end, [part]), { paddingLeft: true })];
		});
	}
}
