import path from 'node:path';
import type { DebugProtocol } from '@vscode/debugprotocol';
import * as vscode from 'vscode';
import { AgentLines } from '#agentFile/agentLines.ts';
import type { DebugHost, PreparedDebugRun } from './debuggedRun.ts';

/** A text that the run executes: that of the debugged agent when the run started, or the published version of an agent used as a tool. */
export interface RunningText {
	/** DAP source reference, from 1. */
	readonly reference: number;
	/** Name of an agent used as a tool. Absent for the debugged agent. */
	readonly agent?: string;
	readonly file: string;
	readonly text: string;
	readonly lines: AgentLines;
}

/**
 * Compares the texts that a debugged run executes, which never change, with the current texts of their files. A running text that differs
 * from its file is shown in a separate source.
 */
export class RunTexts {
	readonly run: PreparedDebugRun;
	readonly #host: DebugHost;
	/** The running texts. The first is that of the debugged agent. */
	readonly #running: readonly [RunningText, ...RunningText[]];
	/** Texts that differed from their files at the last {@link compareTexts}. */
	#compared: ReadonlySet<RunningText> = new Set();
	readonly #read = new Map<string, { readonly text: string; readonly lines: AgentLines }>();

	constructor(run: PreparedDebugRun, host: DebugHost) {
		this.run = run;
		this.#host = host;
		const ownText = toEditorText(run.text);
		const own = { reference: 1, file: run.agentPath, text: ownText, lines: new AgentLines(ownText) };
		const files = new Map([[run.agent, run.agentPath], ...[...run.tools].map(([file, name]) => [name, file] as const)]);
		const tools = [...run.published].flatMap(([agent, source]) => {
			const file = files.get(agent);
			const text = toEditorText(source);
			return file === undefined ? [] : [{ agent, file, text, lines: new AgentLines(text) }];
		});
		this.#running = [own, ...tools.map((each, index) => ({ ...each, reference: index + 2 }))];
	}

	/** File name of the debugged agent. */
	get title(): string {
		return path.basename(this.run.agentPath);
	}

	/** Returns the running text of an agent used as a tool, or of the debugged agent by default. Returns `undefined` if it isn't known. */
	findRunningText(agent?: string): RunningText | undefined {
		return this.#running.find(each => each.agent === agent);
	}

	/** Finds a running text by its source reference. */
	findTextByReference(reference: number | undefined): RunningText | undefined {
		return this.#running.find(each => each.reference === reference);
	}

	/** Returns the running texts that differ from their files. */
	listDifferingTexts(): readonly RunningText[] {
		return this.#running.filter(each => this.#differsFromFile(each));
	}

	/**
	 * Compares the texts with their files again. Returns the texts that now differ but didn't before, or `undefined` if nothing has changed.
	 */
	compareTexts(): readonly RunningText[] | undefined {
		const before = this.#compared;
		const now = new Set(this.listDifferingTexts());
		const added = [...now].filter(each => !before.has(each));
		if (added.length === 0 && now.size === before.size) {
			return undefined;
		}
		this.#compared = now;
		return added;
	}

	/** Returns the lines of the nodes in a file, including unsaved changes. Returns `undefined` for files that aren't part of the run. */
	readCurrentLines(file: string): AgentLines | undefined {
		const isOwn = file === this.run.agentPath;
		if (!isOwn && !this.run.tools.has(file)) {
			return undefined;
		}
		const text = this.#readText(file) ?? this.findRunningText(isOwn ? undefined : this.run.tools.get(file))?.text;
		if (text === undefined) {
			return undefined;
		}
		const same = this.#running.find(each => each.text === text);
		if (same) {
			// this file may be a copy of a running text
			return same.lines;
		}
		const known = this.#read.get(file);
		const read = known?.text === text ? known : { text, lines: new AgentLines(text) };
		this.#read.set(file, read);
		return read.lines;
	}

	/** Returns the source and first line (from 1) where a node is shown. */
	locateNode(node: string | undefined, agent?: string): { readonly source: DebugProtocol.Source; readonly line: number } | undefined {
		const running = this.findRunningText(agent);
		if (running) {
			const name = path.basename(running.file);
			const source = this.#differsFromFile(running)
				? {
						name: vscode.l10n.t({ message: '{0} (running version)', args: [name], comment: ['{0} is the name of an agent file'] }),
						path: running.file,
						sourceReference: running.reference,
					}
				: { name, path: running.file };
			return { source, line: running.lines.findNode(node)?.first ?? 1 };
		}
		const file = agent === this.run.agent ? this.run.agentPath : [...this.run.tools].find(([, name]) => name === agent)?.[0];
		return file === undefined
			? undefined
			: { source: { name: path.basename(file), path: file }, line: this.readCurrentLines(file)?.findNode(node)?.first ?? 1 };
	}

	#differsFromFile({ file, text }: RunningText): boolean {
		return (this.#readText(file) ?? text) !== text;
	}

	#readText(file: string): string | undefined {
		const text = this.#host.readText(file);
		return text === undefined ? undefined : toEditorText(text);
	}
}

/** Returns a text as an editor has it, with one kind of line ends: files that aren't open are compared with texts of documents. */
function toEditorText(text: string): string {
	return text.replace(/^\uFEFF/, '').replaceAll('\r\n', '\n');
}

/** Formats the message that a file differs from the running text. */
export function formatTextDifference({ agent, file }: RunningText): string {
	return agent === undefined
		? vscode.l10n.t(
				"'{0}' was changed. The run continues with the earlier version, which you can open from the call stack. Restart the run to use the new version.",
				path.basename(file),
			)
		: vscode.l10n.t(
				"'{0}' differs from its published version. The published version runs as a tool, and you can open it from the call stack. To use the new version, publish it and restart the run.",
				path.basename(file),
			);
}
