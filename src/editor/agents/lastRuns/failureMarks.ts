import * as vscode from 'vscode';
import { readErrorLine } from '#agentFile/failureLine.ts';
import type { CommandId } from '#base/commandIds.ts';
import { DisposableBase } from '#base/disposables.ts';
import type { Runs } from '#runs/runTypes.ts';
import { runInBackground } from '../../platform/background.ts';
import { createCommandLink } from '../../platform/commandLink.ts';
import { isEditableScheme } from '../../platform/names.ts';
import { formatCodeBlock, formatRelativeTime, toOneLine } from '../../platform/wording.ts';
import { isAgentFile } from '../files/isAgentFile.ts';
import { type Failure, findFailedNodes } from './failedNodes.ts';
import type { NodeText } from './nodeTexts.ts';

/** Milliseconds to wait after a keystroke before updating the marks. */
const quietMs = 150;
/** Milliseconds between updates of relative times ("2 min ago"). */
const ageMs = 30_000;
/** Maximum length of an error shown at the end of a line. */
const errorLength = 60;

/** Shows when and why a node failed in its last run, next to the node's ID or the line of its program that failed, until the node is edited or passes. */
export class FailureMarks extends DisposableBase {
	readonly #runs: Runs;
	readonly #readNodeTexts: (document: vscode.TextDocument) => Promise<ReadonlyMap<string, NodeText>>;
	readonly #log: vscode.LogOutputChannel;
	#type: vscode.TextEditorDecorationType | undefined;
	#soon: NodeJS.Timeout | undefined;
	#ageing: NodeJS.Timeout | undefined;

	/** `readNodeTexts` reads the nodes of an agent file. It's called only if a run failed. */
	constructor(
		runs: Runs,
		readNodeTexts: (document: vscode.TextDocument) => Promise<ReadonlyMap<string, NodeText>>,
		log: vscode.LogOutputChannel,
	) {
		super();
		this.#runs = runs;
		this.#readNodeTexts = readNodeTexts;
		this.#log = log;
		this.register(runs.onDidChange(({ marks }) => marks && this.#scheduleUpdate(0)));
		this.register(runs.onDidRemove(() => this.#scheduleUpdate(0)));
		this.register(vscode.window.onDidChangeVisibleTextEditors(() => this.#scheduleUpdate(0)));
		this.register(vscode.workspace.onDidChangeTextDocument(({ document }) => isAgentFile(document) && this.#scheduleUpdate(quietMs)));
		this.register({
			dispose: () => {
				clearTimeout(this.#soon);
				clearTimeout(this.#ageing);
				this.#type?.dispose();
			},
		});
		this.#scheduleUpdate(0);
	}

	#scheduleUpdate(ms: number): void {
		clearTimeout(this.#soon);
		this.#soon = setTimeout(() => runInBackground(this.#updateMarks(), this.#log, 'Marking failed nodes'), ms);
	}

	async #updateMarks(): Promise<void> {
		clearTimeout(this.#ageing);
		let shown = 0;
		for (const editor of vscode.window.visibleTextEditors) {
			const { document } = editor;
			const { version } = document;
			const marks = isEditableScheme(document.uri.scheme) && isAgentFile(document) ? await this.#createMarks(document) : [];
			if (this.disposed || document.version !== version) {
				return;
			}
			if (marks.length > 0 || this.#type) {
				this.#type ??= vscode.window.createTextEditorDecorationType({
					after: { color: new vscode.ThemeColor('editorError.foreground'), margin: '0 0 0 2em' },
				});
				editor.setDecorations(this.#type, marks);
			}
			shown += marks.length;
		}
		if (shown > 0) {
			this.#ageing = setTimeout(() => this.#scheduleUpdate(0), ageMs);
		}
	}

	async #createMarks(document: vscode.TextDocument): Promise<vscode.DecorationOptions[]> {
		const failures = findFailedNodes(this.#runs.list(), document.uri.toString());
		const nodes = failures.size > 0 ? await this.#readNodeTexts(document) : new Map<string, NodeText>();
		return [...failures].flatMap(([id, failure]) => {
			const node = nodes.get(id);
			return node?.text === failure.node.text ? [createMark(document.lineAt(findFailedLine(document, node, failure)).range, failure)] : [];
		});
	}
}

/** Returns the line, from 0, that the error of a program or template names, or the line of the node's ID. */
function findFailedLine(document: vscode.TextDocument, { offset, program }: NodeText, { node: { error } }: Failure): number {
	const line = readErrorLine(error);
	return line !== undefined && program !== undefined
		? Math.min(document.lineCount, document.positionAt(program).line + line) - 1
		: document.positionAt(offset).line;
}

function createMark(
	range: vscode.Range,
	{ record: { key, startedAt, elapsedSeconds = 0 }, node: { id, error } }: Failure,
): vscode.DecorationOptions {
	const ago = formatRelativeTime(startedAt + elapsedSeconds * 1000);
	const hover = new vscode.MarkdownString(
		`**${vscode.l10n.t({ message: 'This node failed {0}', args: [ago], comment: ["{0} is a relative time such as '2 h ago'"] })}**\n\n`,
	);
	hover.isTrusted = {
		enabledCommands: [
			'agentWorkbench.node.forkFrom',
			'agentWorkbench.run.inspect',
			'agentWorkbench.chat.askAboutRun',
		] satisfies CommandId[],
	};
	if (error !== '') {
		hover.appendMarkdown(formatCodeBlock(error, 'text'));
	}
	const links = [
		createCommandLink(vscode.l10n.t('Fork from here…'), 'agentWorkbench.node.forkFrom', [{ key, node: id }]),
		createCommandLink(vscode.l10n.t('Ask about this run'), 'agentWorkbench.chat.askAboutRun', [key]),
		createCommandLink(vscode.l10n.t('Inspect run'), 'agentWorkbench.run.inspect', [key]),
	];
	hover.appendMarkdown(links.join(' · '));
	const said =
		error === ''
			? vscode.l10n.t({ message: 'failed {0}', args: [ago], comment: ["{0} is a relative time such as '2 h ago'"] })
			: vscode.l10n.t({
					message: 'failed {0}: {1}',
					args: [ago, toOneLine(error, errorLength)],
					comment: ["{0} is a relative time such as '2 h ago', {1} is an error message"],
				});
	return { range, hoverMessage: hover, renderOptions: { after: { contentText: said } } };
}
