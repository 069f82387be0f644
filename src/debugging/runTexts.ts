import path from 'node:path';
import type { DebugProtocol } from '@vscode/debugprotocol';
import * as vscode from 'vscode';
import { AgentLines } from '../agentFile/agentLines.ts';
import type { DebugHost, PreparedRun } from './debuggedRun.ts';

/** The one source that is no file: the text of the run, where the file has another one by now. */
export const textOfRun = 1;

/**
 * The texts of a debugged run: that of its agent as it runs, which never changes, the same file as the editor has it now, and the files of the agents that it uses
 * as tools.
 */
export class RunTexts {
	readonly run: PreparedRun;
	/** Nodes of the agent as it runs. */
	readonly lines: AgentLines;
	readonly #host: DebugHost;
	readonly #read = new Map<string, { readonly text: string; readonly lines: AgentLines }>();

	constructor(run: PreparedRun, host: DebugHost) {
		this.run = run;
		this.lines = new AgentLines(run.text);
		this.#host = host;
	}

	/** Name of the agent file, for people. */
	get title(): string {
		return path.basename(this.run.agentPath);
	}

	/** Whether the agent file has another text by now than the one that runs. */
	get differs(): boolean {
		return (this.#host.textOf(this.run.agentPath) ?? this.run.text) !== this.run.text;
	}

	/** The nodes of a file as the editor has it now; `undefined` for a file that has nothing to do with the run. */
	linesNow(file: string): AgentLines | undefined {
		const isOwn = file === this.run.agentPath;
		if (!isOwn && !this.run.tools.has(file)) {
			return undefined;
		}
		const text = this.#host.textOf(file) ?? (isOwn ? this.run.text : undefined);
		if (text === undefined) {
			return undefined;
		}
		if (text === this.run.text) {
			// a file of another agent can be a copy
			return this.lines;
		}
		const known = this.#read.get(file);
		const read = known?.text === text ? known : { text, lines: new AgentLines(text) };
		this.#read.set(file, read);
		return read.lines;
	}

	/** Where a frame, or a message about a node, is shown: a source, and the node's first line, from 1. */
	placeOf(node: string | undefined, agent?: string): { readonly source: DebugProtocol.Source; readonly line: number } | undefined {
		if (agent !== undefined) {
			const file = agent === this.run.agent ? this.run.agentPath : [...this.run.tools].find(([, name]) => name === agent)?.[0];
			return file === undefined
				? undefined
				: { source: { name: path.basename(file), path: file }, line: this.linesNow(file)?.of(node)?.first ?? 1 };
		}
		const source = this.differs
			? { name: vscode.l10n.t('{0} as it runs', this.title), path: this.run.agentPath, sourceReference: textOfRun }
			: { name: this.title, path: this.run.agentPath };
		return { source, line: this.lines.of(node)?.first ?? 1 };
	}
}
