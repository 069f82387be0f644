import type { DebugProtocol } from '@vscode/debugprotocol';
import * as vscode from 'vscode';
import type { DebugLink } from './debugLink.ts';
import { childrenOf, isCut, mostAtOnce, shownVariable, typedValue } from './shownValues.ts';
import type { FramePlace, StoppedRun, ValuePlace } from './stoppedRun.ts';

/** What sets a variable in the Debug Console: a reference or a selector, and a value. */
const assignmentPattern = /^\s*(\{\{#[\w.-]+#\}\}|[\w-]+(?:\.[\w-]+)+)\s*=(?![=>])([\s\S]+)$/;

/** What the editor asks of a run that stands: values, expressions, completions. All of it is asked of the gateway; no copy of a value is kept. */
export class DebugQuestions {
	readonly #link: DebugLink;
	readonly #stopped: () => StoppedRun | undefined;
	/** Variables that the user set in this session. */
	#set: readonly SetVariable[] = [];

	constructor(link: DebugLink, stopped: () => StoppedRun | undefined) {
		this.#link = link;
		this.#stopped = stopped;
	}

	async scopes({ frameId }: DebugProtocol.ScopesArguments): Promise<DebugProtocol.ScopesResponse['body']> {
		const { stopped, branch, at: frame } = this.#standing(frameId);
		const { scopes } = await this.#link.command({ command: 'scopes', branch, frame });
		// the branch may have moved on meanwhile: these are the scopes of where it was
		this.#standing(frameId);
		return {
			scopes: scopes.map(({ name, path, children, expensive }) => ({
				name,
				variablesReference: stopped.reference({ branch, frame, path }),
				namedVariables: children,
				expensive: expensive === true,
			})),
		};
	}

	async variables({
		variablesReference,
		start = 0,
		count,
	}: DebugProtocol.VariablesArguments): Promise<DebugProtocol.VariablesResponse['body']> {
		const { stopped, place } = this.#values(variablesReference);
		const shown: DebugProtocol.Variable[] = [];
		// the editor asks for a page of a long list, and for all of what has names
		for (let wanted = count || Number.POSITIVE_INFINITY, at = start; wanted > 0; ) {
			const page = await this.#link.command({
				command: 'variables',
				branch: place.branch,
				frame: place.frame,
				path: [...place.path],
				start: at,
				count: Math.min(mostAtOnce, wanted),
			});
			this.#values(variablesReference);
			shown.push(...page.variables.map(each => stopped.list(place, shownVariable(stopped, place, each), each)));
			at += page.variables.length;
			wanted = page.variables.length === 0 ? 0 : Math.min(wanted - page.variables.length, page.total - at);
		}
		return { variables: shown };
	}

	async setVariable({
		variablesReference,
		name,
		value,
	}: DebugProtocol.SetVariableArguments): Promise<DebugProtocol.SetVariableResponse['body']> {
		const { stopped, place } = this.#values(variablesReference);
		const listed = stopped.listed(place, name);
		if (!listed?.path || !listed.settable) {
			throw new Error(vscode.l10n.t('“{0}” cannot be set.', name));
		}
		if (isCut(listed, value)) {
			throw new Error(
				vscode.l10n.t(
					'“{0}” is longer than what was shown to be changed: set it in the Debug Console, as {1} = "…".',
					name,
					listed.selector ?? name,
				),
			);
		}
		return this.#setValue(stopped, { ...place, path: listed.path }, typedValue(value, listed.type));
	}

	async setExpression({ expression, value, frameId }: DebugProtocol.SetExpressionArguments): Promise<SetValue> {
		const { stopped, branch, at: frame } = this.#standing(frameId);
		const { path, type, settable } = await this.#link.command({ command: 'evaluate', branch, frame, expression });
		if (!path || !settable) {
			throw new Error(vscode.l10n.t('“{0}” is no variable that can be set.', expression));
		}
		return this.#setValue(stopped, { branch, frame, path }, typedValue(value, type));
	}

	async evaluate({ expression, frameId, context }: DebugProtocol.EvaluateArguments): Promise<DebugProtocol.EvaluateResponse['body']> {
		const [, name, typed] = (context === 'repl' && assignmentPattern.exec(expression)) || [];
		if (name !== undefined && typed !== undefined) {
			const { value, ...set } = await this.setExpression({
				expression: name,
				value: typed.trim(),
				...(frameId !== undefined && { frameId }),
			});
			return { result: value, ...set };
		}
		const { stopped, branch, at: frame } = this.#standing(frameId);
		const found = await this.#link.command({ command: 'evaluate', branch, frame, expression });
		// what is copied is whole
		const result = context === 'clipboard' ? (found.value ?? found.text) : found.text;
		return { result, type: found.type, ...childrenOf(stopped, { branch, frame }, found) };
	}

	async completions({ text, column, line, frameId }: CompletionsPlace): Promise<DebugProtocol.CompletionsResponse['body']> {
		const { branch, at: frame } = this.#standing(frameId);
		const written = text.split('\n')[line] ?? text;
		const { items } = await this.#link.command({ command: 'complete', branch, frame, text: written, column });
		return { targets: items };
	}

	/** Outputs so far by node ID, each on one line, as a frame has them. */
	async outputs(frameId: number): Promise<ReadonlyMap<string, string>> {
		const { branch, at: frame } = this.#standing(frameId);
		const { scopes } = await this.#link.command({ command: 'scopes', branch, frame });
		const scope = scopes.find(({ path }) => path[0] === 'outputs');
		const listed = scope && (await this.#link.command({ command: 'variables', branch, frame, path: [...scope.path] }));
		return new Map(listed?.variables.map(({ name, path, text }) => [String(path?.at(-1) ?? name), text]));
	}

	/** Variables of a node that the user set, in the order in which they were set; they count as not set from now on. */
	takeSetOf(node: string, agent: string | undefined): readonly string[] {
		const isOfNode = (each: SetVariable) => each.agent === agent && each.selector.startsWith(`${node}.`);
		const taken = this.#set.filter(isOfNode).map(({ selector }) => selector);
		this.#set = this.#set.filter(each => !isOfNode(each));
		return [...new Set(taken)];
	}

	async #setValue(stopped: StoppedRun, { branch, frame, path }: ValuePlace, value: unknown): Promise<SetValue> {
		const agent = stopped.of(branch)?.frames[frame]?.agent;
		const set = await this.#link.command({ command: 'set_variable', branch, frame, path: [...path], value });
		if (set.selector !== undefined) {
			this.#set = [...this.#set, { selector: set.selector, agent }];
		}
		return { value: set.text, type: set.type, ...childrenOf(stopped, { branch, frame }, set) };
	}

	#standing(frameId: number | undefined): FramePlace & { readonly stopped: StoppedRun } {
		const stopped = this.#stopped();
		const place = stopped?.frame(frameId);
		if (!stopped || !place) {
			throw new Error(notStanding());
		}
		return { stopped, ...place };
	}

	#values(reference: number): { readonly stopped: StoppedRun; readonly place: ValuePlace } {
		const stopped = this.#stopped();
		const place = stopped?.value(reference);
		if (!stopped || !place) {
			throw new Error(notStanding());
		}
		return { stopped, place };
	}
}

interface SetVariable {
	readonly selector: string;
	/** Agent that the node is of, if it is used as a tool. */
	readonly agent: string | undefined;
}

/** A variable as it is after it was set. */
interface SetValue {
	readonly value: string;
	readonly type: string;
	readonly variablesReference: number;
}

/** Where something is completed: line and column from 0. */
interface CompletionsPlace {
	readonly text: string;
	readonly line: number;
	readonly column: number;
	readonly frameId?: number | undefined;
}

/** Why nothing can be asked of a run, or done with it, that goes on. */
export function notStanding(): string {
	return vscode.l10n.t('The run does not stand: pause it first.');
}
