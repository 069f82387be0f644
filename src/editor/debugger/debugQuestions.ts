import type { DebugProtocol } from '@vscode/debugprotocol';
import * as vscode from 'vscode';
import { getOwnField } from '#base/records/ownField.ts';
import type { DebugLink } from './debugLink.ts';
import { createChildReference, isEditedCutValue, mostAtOnce, parseTypedValue, toDapVariable } from './shownValues.ts';
import type { FramePlace, StoppedRun, ValuePlace } from './stoppedRun.ts';

/** Matches an assignment in the Debug Console: a reference or selector, `=`, and a value. */
const assignmentPattern = /^\s*(\{\{#[\w.-]+#\}\}|[\w-]+(?:\.[\w-]+)+)\s*=(?![=>])([\s\S]+)$/;

/** Forwards VS Code's requests about a paused run to the gateway: values, expressions, completions. Caches no values. */
export class DebugQuestions {
	readonly #link: DebugLink;
	readonly #stopped: () => StoppedRun | undefined;
	/** Variables that the user set, until {@link takeSetVariables} returns them. */
	#set: readonly SetVariable[] = [];

	constructor(link: DebugLink, stopped: () => StoppedRun | undefined) {
		this.#link = link;
		this.#stopped = stopped;
	}

	async listScopes({ frameId }: DebugProtocol.ScopesArguments): Promise<DebugProtocol.ScopesResponse['body']> {
		const { stopped, branch, at: frame } = this.#requireFrame(frameId);
		const { scopes } = await this.#link.sendCommand({ command: 'scopes', branch, frame });
		// throw if the branch has moved on, because its scopes are outdated
		this.#requireFrame(frameId);
		const titles = getScopeTitles();
		return {
			scopes: scopes.map(({ name, path, children, expensive }) => ({
				name: getOwnField(titles, String(path[0])) ?? name,
				variablesReference: stopped.getReference({ branch, frame, path }),
				namedVariables: children,
				expensive: expensive === true,
			})),
		};
	}

	async listVariables({
		variablesReference,
		start = 0,
		count,
	}: DebugProtocol.VariablesArguments): Promise<DebugProtocol.VariablesResponse['body']> {
		const { stopped, place } = this.#requireValue(variablesReference);
		const shown: DebugProtocol.Variable[] = [];
		// VS Code requests one page of a long list, but all named children at once
		for (let wanted = count || Number.POSITIVE_INFINITY, at = start; wanted > 0; ) {
			const page = await this.#link.sendCommand({
				command: 'variables',
				branch: place.branch,
				frame: place.frame,
				path: [...place.path],
				start: at,
				count: Math.min(mostAtOnce, wanted),
			});
			this.#requireValue(variablesReference);
			shown.push(...page.variables.map(each => stopped.recordListedVariable(place, toDapVariable(stopped, place, each), each)));
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
		const { stopped, place } = this.#requireValue(variablesReference);
		const listed = stopped.findListedVariable(place, name);
		if (!listed?.path || !listed.settable) {
			throw new Error(vscode.l10n.t("'{0}' is read-only.", name));
		}
		if (isEditedCutValue(listed, value)) {
			throw new Error(
				vscode.l10n.t('\'{0}\' is too long to edit here. Set it in the Debug Console: {1} = "…"', name, listed.selector ?? name),
			);
		}
		return this.#setValue(stopped, { ...place, path: listed.path }, parseTypedValue(value, listed.type));
	}

	async setExpression({ expression, value, frameId }: DebugProtocol.SetExpressionArguments): Promise<SetValue> {
		const { stopped, branch, at: frame } = this.#requireFrame(frameId);
		const { path, type, settable } = await this.#link.sendCommand({ command: 'evaluate', branch, frame, expression });
		if (!path || !settable) {
			throw new Error(vscode.l10n.t("'{0}' isn't a variable that can be set.", expression));
		}
		return this.#setValue(stopped, { branch, frame, path }, parseTypedValue(value, type));
	}

	async evaluateExpression({
		expression,
		frameId,
		context,
	}: DebugProtocol.EvaluateArguments): Promise<DebugProtocol.EvaluateResponse['body']> {
		const [, name, typed] = (context === 'repl' && assignmentPattern.exec(expression)) || [];
		if (name !== undefined && typed !== undefined) {
			const { value, ...set } = await this.setExpression({
				expression: name,
				value: typed.trim(),
				...(frameId !== undefined && { frameId }),
			});
			return { result: value, ...set };
		}
		const { stopped, branch, at: frame } = this.#requireFrame(frameId);
		const found = await this.#link.sendCommand({ command: 'evaluate', branch, frame, expression });
		// copying needs the complete value
		const result = context === 'clipboard' ? (found.value ?? found.text) : found.text;
		return { result, type: found.type, ...createChildReference(stopped, { branch, frame }, found) };
	}

	async listCompletions({ text, column, line, frameId }: CompletionsPlace): Promise<DebugProtocol.CompletionsResponse['body']> {
		const { branch, at: frame } = this.#requireFrame(frameId);
		const written = text.split('\n')[line] ?? text;
		const { items } = await this.#link.sendCommand({ command: 'complete', branch, frame, text: written, column });
		return { targets: items };
	}

	/** Returns the outputs that a frame can see, by node ID. Each is on one line. */
	async readOutputs(frameId: number): Promise<ReadonlyMap<string, string>> {
		const { branch, at: frame } = this.#requireFrame(frameId);
		const { scopes } = await this.#link.sendCommand({ command: 'scopes', branch, frame });
		const scope = scopes.find(({ path }) => path[0] === 'outputs');
		const listed = scope && (await this.#link.sendCommand({ command: 'variables', branch, frame, path: [...scope.path] }));
		return new Map(listed?.variables.map(({ name, path, text }) => [String(path?.at(-1) ?? name), text]));
	}

	/** Returns the variables of a node that the user set, in order, and forgets them. */
	takeSetVariables(node: string, agent: string | undefined): readonly string[] {
		const isOfNode = (each: SetVariable) => each.agent === agent && each.selector.startsWith(`${node}.`);
		const taken = this.#set.filter(isOfNode).map(({ selector }) => selector);
		this.#set = this.#set.filter(each => !isOfNode(each));
		return [...new Set(taken)];
	}

	async #setValue(stopped: StoppedRun, { branch, frame, path }: ValuePlace, value: unknown): Promise<SetValue> {
		const agent = stopped.findBranch(branch)?.frames[frame]?.agent;
		const set = await this.#link.sendCommand({ command: 'set_variable', branch, frame, path: [...path], value });
		if (set.selector !== undefined) {
			this.#set = [...this.#set, { selector: set.selector, agent }];
		}
		return { value: set.text, type: set.type, ...createChildReference(stopped, { branch, frame }, set) };
	}

	#requireFrame(frameId: number | undefined): FramePlace & { readonly stopped: StoppedRun } {
		const stopped = this.#stopped();
		const place = stopped?.findFrame(frameId);
		if (!stopped || !place) {
			throw new Error(getNotPausedMessage());
		}
		return { stopped, ...place };
	}

	#requireValue(reference: number): { readonly stopped: StoppedRun; readonly place: ValuePlace } {
		const stopped = this.#stopped();
		const place = stopped?.findValue(reference);
		if (!stopped || !place) {
			throw new Error(getNotPausedMessage());
		}
		return { stopped, place };
	}
}

interface SetVariable {
	readonly selector: string;
	/** The node's agent, if the agent is used as a tool. */
	readonly agent: string | undefined;
}

interface SetValue {
	readonly value: string;
	readonly type: string;
	readonly variablesReference: number;
}

/** Text and position for completion. */
interface CompletionsPlace {
	readonly text: string;
	readonly line: number;
	readonly column: number;
	readonly frameId?: number | undefined;
}

/** Returns the error message for requests that need a paused run. */
export function getNotPausedMessage(): string {
	return vscode.l10n.t("The run isn't paused. Pause it first.");
}

function getScopeTitles(): Readonly<Record<string, string>> {
	const { t } = vscode.l10n;
	return {
		inputs: t('Inputs'),
		outputs: t('Outputs so far'),
		loop: t('Item and loop'),
		conversation: t('Conversation'),
		sys: t({ message: 'System', comment: ['noun: system variables of a run'] }),
		env: t({ message: 'Environment', comment: ['noun: environment variables of an agent'] }),
	};
}
