import * as vscode from 'vscode';
import type { CommandId } from '#base/commandIds.ts';
import { DisposableBase } from '#base/disposables.ts';
import { cutToLimit } from '#base/text/cutText.ts';
import { formatReadableValue } from '#runs/following/readableValue.ts';
import { isRunActive, isRunPaused } from '#runs/runStatus.ts';
import type { RunRecord, Runs } from '#runs/runTypes.ts';
import { createCommandLink } from '../../platform/commandLink.ts';
import { formatPendingForms, formatRunPosition, formatStatusIcon, getStatusText } from '../../platform/runWording.ts';
import { escapeIcons, escapeMarkdown, formatBriefDuration, formatCodeBlock, toOneLine, toPlainLines } from '../../platform/wording.ts';

const tickMs = 1000;
/** Maximum length of the outputs in the tooltip. */
const longestTooltip = 2000;

/**
 * Status bar item that shows active runs, otherwise paused runs, otherwise the outcome of this window's last run. Hidden until there is a
 * run.
 */
export class RunStatusBar extends DisposableBase {
	readonly #runs: Runs;
	readonly #item = this.register(vscode.window.createStatusBarItem('agentWorkbench.runs', vscode.StatusBarAlignment.Left, 0));
	#last: string | undefined;
	#timer: NodeJS.Timeout | undefined;

	constructor(runs: Runs) {
		super();
		this.#runs = runs;
		this.#item.name = vscode.l10n.t('Agent Workbench runs');
		this.register(runs.onDidChange(record => this.#onRunChange(record)));
		this.register(runs.onDidRemove(() => this.#updateItem()));
		this.register({ dispose: () => clearInterval(this.#timer) });
		this.#updateItem();
	}

	#onRunChange(record: RunRecord): void {
		this.#last = record.key;
		this.#updateItem();
	}

	#updateItem(): void {
		const live = this.#runs.list().filter(isRunActive);
		const last = this.#last === undefined ? undefined : this.#runs.get(this.#last);
		const [first] = live;
		if (first) {
			this.#timer ??= setInterval(() => this.#updateItem(), tickMs);
			this.#showActiveRuns(first, live.length);
		} else {
			clearInterval(this.#timer);
			this.#timer = undefined;
			const waiting = this.#runs.list().filter(isRunPaused);
			if (waiting[0]) {
				this.#showPausedRuns(waiting[0], waiting.length);
			} else {
				this.#showLastRun(last);
			}
		}
	}

	#showActiveRuns(run: RunRecord, count: number): void {
		const label = count === 1 ? run.agent : vscode.l10n.t('{0} runs', count);
		this.#item.text = `$(sync~spin) ${escapeIcons(toOneLine(label, 30))} ${formatBriefDuration(Date.now() - run.startedAt)}`;
		this.#item.tooltip = createProgressTooltip(count === 1 ? run : undefined);
		this.#item.command = createInspectCommand(count === 1 ? run : undefined);
		this.#item.show();
	}

	#showPausedRuns(run: RunRecord, count: number): void {
		const label = count === 1 ? escapeIcons(toOneLine(run.agent, 30)) : vscode.l10n.t('{0} runs', count);
		this.#item.text = `${formatStatusIcon('paused')} ${vscode.l10n.t({ message: '{0}: waiting for input', args: [label], comment: ['{0} is the name of an agent'] })}`;
		this.#item.tooltip = count === 1 ? `${run.agent}: ${formatPendingForms(run)}` : vscode.l10n.t('Inspect one of these runs');
		this.#item.command = createInspectCommand(count === 1 ? run : undefined);
		this.#item.show();
	}

	#showLastRun(run: RunRecord | undefined): void {
		if (!run) {
			this.#item.hide();
			return;
		}
		const status = getStatusText(run.status);
		const time = run.elapsedSeconds === undefined ? status : formatBriefDuration(run.elapsedSeconds * 1000);
		this.#item.text = `${formatStatusIcon(run.status)} ${escapeIcons(toOneLine(run.agent, 30))} ${time}`;
		this.#item.tooltip = createRunTooltip(run, status);
		this.#item.command = createInspectCommand(run);
		this.#item.show();
	}
}

/** Shows the position of an active run, with a link that stops it. Without a run, the link asks which of the active runs to stop. */
function createProgressTooltip(run: RunRecord | undefined): vscode.MarkdownString {
	const inspect = run ? vscode.l10n.t('Inspect this run') : vscode.l10n.t('Inspect one of these runs');
	const stop = 'agentWorkbench.run.stop' satisfies CommandId;
	const tooltip = new vscode.MarkdownString([...(run ? [formatRunPosition(run)] : []), inspect].map(escapeMarkdown).join('\n\n'));
	tooltip.isTrusted = { enabledCommands: [stop] };
	return tooltip.appendMarkdown(`\n\n${createCommandLink(vscode.l10n.t('Stop run'), stop, run ? [run.key] : [])}`);
}

/** Shows the complete outputs or error of a run, up to {@link longestTooltip}. */
function createRunTooltip(run: RunRecord, status: string): vscode.MarkdownString {
	const inspect = vscode.l10n.t({ message: 'Inspect this run ({0})', args: [status], comment: ['{0} is the status of the run'] });
	const tooltip = new vscode.MarkdownString(escapeMarkdown(inspect));
	const result = run.error ?? (run.outputs ? formatReadableValue(run.outputs, vscode.l10n.t) : '');
	return result === '' ? tooltip : tooltip.appendMarkdown(formatCodeBlock(toPlainLines(cutToLimit(result, longestTooltip)), 'text'));
}

/** Creates the command that inspects a run, or asks which of the active or paused runs to inspect. */
function createInspectCommand(run?: RunRecord): vscode.Command {
	return { title: '', command: 'agentWorkbench.run.inspect' satisfies CommandId, ...(run && { arguments: [run.key] }) };
}
