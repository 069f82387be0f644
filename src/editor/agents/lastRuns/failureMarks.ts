import * as vscode from 'vscode';
import type { CommandId } from '#base/commandIds.ts';
import { DisposableBase } from '#base/disposables.ts';
import type { Runs } from '#runs/runTypes.ts';
import { background } from '../../platform/background.ts';
import { isEditedScheme } from '../../platform/names.ts';
import { agoText, oneLine } from '../../platform/wording.ts';
import { isAgentFile } from '../files/isAgentFile.ts';
import { type Failure, failedNodes } from './failedNodes.ts';
import type { NodeText } from './nodeTexts.ts';

/** Time without a keystroke before a text is looked at again, in milliseconds. */
const quietMs = 150;
/** "2 min ago" grows older while it is looked at, in milliseconds. */
const ageMs = 30_000;
/** Characters of an error that stand in the line. */
const errorLength = 60;

/** Behind the ID of each node for which the last run of an agent file failed: when, and why. Gone once the node is edited or went well. */
export class FailureMarks extends DisposableBase {
	readonly #runs: Runs;
	readonly #nodeTexts: (document: vscode.TextDocument) => Promise<ReadonlyMap<string, NodeText>>;
	readonly #log: vscode.LogOutputChannel;
	#type: vscode.TextEditorDecorationType | undefined;
	#soon: NodeJS.Timeout | undefined;
	#ageing: NodeJS.Timeout | undefined;

	/** `nodeTexts`: the nodes of an agent file; asked only where a run failed. */
	constructor(
		runs: Runs,
		nodeTexts: (document: vscode.TextDocument) => Promise<ReadonlyMap<string, NodeText>>,
		log: vscode.LogOutputChannel,
	) {
		super();
		this.#runs = runs;
		this.#nodeTexts = nodeTexts;
		this.#log = log;
		this.own(runs.onDidChange(({ marks }) => marks && this.#showSoon(0)));
		this.own(runs.onDidRemove(() => this.#showSoon(0)));
		this.own(vscode.window.onDidChangeVisibleTextEditors(() => this.#showSoon(0)));
		this.own(vscode.workspace.onDidChangeTextDocument(({ document }) => isAgentFile(document) && this.#showSoon(quietMs)));
		this.own({
			dispose: () => {
				clearTimeout(this.#soon);
				clearTimeout(this.#ageing);
				this.#type?.dispose();
			},
		});
		this.#showSoon(0);
	}

	#showSoon(ms: number): void {
		clearTimeout(this.#soon);
		this.#soon = setTimeout(() => background(this.#show(), this.#log, 'Nodes that failed'), ms);
	}

	async #show(): Promise<void> {
		clearTimeout(this.#ageing);
		let shown = 0;
		for (const editor of vscode.window.visibleTextEditors) {
			const { document } = editor;
			const { version } = document;
			const marks = isEditedScheme(document.uri.scheme) && isAgentFile(document) ? await this.#marks(document) : [];
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
			this.#ageing = setTimeout(() => this.#showSoon(0), ageMs);
		}
	}

	async #marks(document: vscode.TextDocument): Promise<vscode.DecorationOptions[]> {
		const failures = failedNodes(this.#runs.list(), document.uri.toString());
		const nodes = failures.size > 0 ? await this.#nodeTexts(document) : new Map<string, NodeText>();
		return [...failures].flatMap(([id, failure]) => {
			const node = nodes.get(id);
			return node?.text === failure.node.text ? [markOf(document.lineAt(document.positionAt(node.offset)).range, failure)] : [];
		});
	}
}

function markOf(
	range: vscode.Range,
	{ record: { key, startedAt, elapsedSeconds = 0 }, node: { error } }: Failure,
): vscode.DecorationOptions {
	const when = vscode.l10n.t('failed {0}', agoText(startedAt + elapsedSeconds * 1000));
	const link = (title: string, command: CommandId) => `[${title}](command:${command}?${encodeURIComponent(JSON.stringify([key]))})`;
	const hover = new vscode.MarkdownString(`**${vscode.l10n.t('This node {0}', when)}**\n\n`);
	hover.isTrusted = { enabledCommands: ['agentWorkbench.run.inspect', 'agentWorkbench.chat.askAboutRun'] satisfies CommandId[] };
	if (error !== '') {
		hover.appendCodeblock(error, 'text');
	}
	hover.appendMarkdown(
		`${link(vscode.l10n.t('Ask'), 'agentWorkbench.chat.askAboutRun')} · ${link(vscode.l10n.t('Inspect'), 'agentWorkbench.run.inspect')}`,
	);
	const said = error === '' ? when : vscode.l10n.t('{0}: {1}', when, oneLine(error, errorLength));
	return { range, hoverMessage: hover, renderOptions: { after: { contentText: said } } };
}
