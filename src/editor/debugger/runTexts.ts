import path from 'node:path';
import type { DebugProtocol } from '@vscode/debugprotocol';
import * as vscode from 'vscode';
import { AgentLines } from '#agentFile/agentLines.ts';
import type { DebugHost, PreparedDebugRun } from './debuggedRun.ts';

/** A text that runs: of the debugged agent as it was when the run began, or of the published version of an agent that is used as a tool. */
export interface RunningText {
	/** By which the editor asks for it, from 1. */
	readonly reference: number;
	/** Name of the agent that is used as a tool; absent: the debugged one. */
	readonly agent?: string;
	readonly file: string;
	readonly text: string;
	readonly lines: AgentLines;
}

/**
 * The texts of a debugged run: those that run, which never change, and the same files as the editor has them now. What a file has under another text than runs is
 * shown in a source of its own.
 */
export class RunTexts {
	readonly run: PreparedDebugRun;
	readonly #host: DebugHost;
	/** The first is that of the debugged agent. */
	readonly #running: readonly [RunningText, ...RunningText[]];
	/** Those that differed at the last {@link compare}. */
	#compared: ReadonlySet<RunningText> = new Set();
	readonly #read = new Map<string, { readonly text: string; readonly lines: AgentLines }>();

	constructor(run: PreparedDebugRun, host: DebugHost) {
		this.run = run;
		this.#host = host;
		const own = { reference: 1, file: run.agentPath, text: run.text, lines: new AgentLines(run.text) };
		const files = new Map([[run.agent, run.agentPath], ...[...run.tools].map(([file, name]) => [name, file] as const)]);
		const tools = [...run.published].flatMap(([agent, text]) => {
			const file = files.get(agent);
			return file === undefined ? [] : [{ agent, file, text, lines: new AgentLines(text) }];
		});
		this.#running = [own, ...tools.map((each, index) => ({ ...each, reference: index + 2 }))];
	}

	/** Name of the agent file, for people. */
	get title(): string {
		return path.basename(this.run.agentPath);
	}

	/** The text that runs of an agent that is used as a tool, else of the debugged one; `undefined` where it is not known. */
	running(agent?: string): RunningText | undefined {
		return this.#running.find(each => each.agent === agent);
	}

	/** The text by which the editor asks for it. */
	byReference(reference: number | undefined): RunningText | undefined {
		return this.#running.find(each => each.reference === reference);
	}

	/** All that run whose file has another text by now. */
	differing(): readonly RunningText[] {
		return this.#running.filter(each => this.#differs(each));
	}

	/** Compares again: returns the texts that differ since the last time, and `undefined` if nothing has changed. */
	compare(): readonly RunningText[] | undefined {
		const before = this.#compared;
		const now = new Set(this.differing());
		const added = [...now].filter(each => !before.has(each));
		if (added.length === 0 && now.size === before.size) {
			return undefined;
		}
		this.#compared = now;
		return added;
	}

	/** The nodes of a file as the editor has it now; `undefined` for a file that has nothing to do with the run. */
	linesNow(file: string): AgentLines | undefined {
		const isOwn = file === this.run.agentPath;
		if (!isOwn && !this.run.tools.has(file)) {
			return undefined;
		}
		const text = this.#host.textOf(file) ?? (isOwn ? this.run.text : this.running(this.run.tools.get(file))?.text);
		if (text === undefined) {
			return undefined;
		}
		const same = this.#running.find(each => each.text === text);
		if (same) {
			// a file of another agent can be a copy
			return same.lines;
		}
		const known = this.#read.get(file);
		const read = known?.text === text ? known : { text, lines: new AgentLines(text) };
		this.#read.set(file, read);
		return read.lines;
	}

	/** Where a frame, or a message about a node, is shown: a source, and the node's first line, from 1. */
	placeOf(node: string | undefined, agent?: string): { readonly source: DebugProtocol.Source; readonly line: number } | undefined {
		const running = this.running(agent);
		if (running) {
			const name = path.basename(running.file);
			const source = this.#differs(running)
				? { name: vscode.l10n.t('{0} as it runs', name), path: running.file, sourceReference: running.reference }
				: { name, path: running.file };
			return { source, line: running.lines.of(node)?.first ?? 1 };
		}
		const file = agent === this.run.agent ? this.run.agentPath : [...this.run.tools].find(([, name]) => name === agent)?.[0];
		return file === undefined
			? undefined
			: { source: { name: path.basename(file), path: file }, line: this.linesNow(file)?.of(node)?.first ?? 1 };
	}

	#differs({ file, text }: RunningText): boolean {
		return (this.#host.textOf(file) ?? text) !== text;
	}
}

/** Says that a file has another text than the one that runs. */
export function textDifference({ agent, file }: RunningText): string {
	return agent === undefined
		? vscode.l10n.t(
				'{0} was changed. The run goes on with the text as it was, in which its frames are shown. Restart to run the new text.',
				path.basename(file),
			)
		: vscode.l10n.t(
				'{0} is not as it was published. As a tool it runs as published, in which its frames are shown. Publish it, and restart, to run the new text.',
				path.basename(file),
			);
}
