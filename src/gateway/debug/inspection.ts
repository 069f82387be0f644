import { referencePattern } from '#agentFile/references.ts';
import { localizable } from '#base/text/localizableMessage.ts';
import type { DebugAnswers, DebugVariable } from '#contract/debugAnswers.ts';
import type { DebugCommand } from '#contract/debugging.ts';
import { ServiceFault } from '#contract/faults/serviceFault.ts';
import { resolveText } from '#engine/variables/references.ts';
import { getSegmentType } from '#engine/variables/segmentType.ts';
import { mask } from '#network/redaction.ts';
import { type Branch, getAgentName, listPausePoints, type PausePoint } from './branches.ts';
import type { EvaluateAt, Evaluated } from './breakpoints.ts';
import { getCompletions } from './completion.ts';
import type { Expressions } from './expressions.ts';
import { getContainer, getExpressionValues } from './expressionValues.ts';
import { getMemberCount, getMembers, toDebugVariable } from './listedValue.ts';
import { getOutermostLevel, maskSecrets } from './maskSecrets.ts';
import type { PastChanges } from './pastChanges.ts';
import { getMember, listScopes, resolvePath, type ValuePath } from './places.ts';
import { isSettable, setVariableValue } from './setValue.ts';

type CommandOf<Name extends DebugCommand['command']> = Extract<DebugCommand, { command: Name }>;

/** A branch now or in the past. */
export type InspectedBranch = Pick<Branch, 'level' | 'node'>;

/** Default number of members to list of a value. */
const pageLength = 100;
/** Number of stored expression results that can be expanded. */
const keptResults = 100;

/** Reads and changes the values of a stopped run. Masks the secrets of its agents in everything it returns. */
export class Inspection {
	readonly #expressions: Expressions;
	readonly #results = new Map<number, unknown>();
	#lastResult = 0;

	constructor(expressions: Expressions) {
		this.#expressions = expressions;
	}

	/** Returns a function that evaluates breakpoint expressions at a branch. */
	readonly evaluateAt: EvaluateAt = branch => expressions => this.#evaluateAll(expressions, listPausePoints(branch)[0] as PausePoint);

	getScopes(branch: InspectedBranch, { frame }: CommandOf<'scopes'>): DebugAnswers['scopes'] {
		return { scopes: [...listScopes(getPausePoint(branch, frame))] };
	}

	getVariables(branch: InspectedBranch, { frame, path, start = 0, count = pageLength }: CommandOf<'variables'>): DebugAnswers['variables'] {
		const point = getPausePoint(branch, frame);
		const { value } = resolvePath(path, point, this.#results);
		return {
			total: getMemberCount(value),
			variables: getMembers(value, start, count).map(key => this.#createVariable(String(key), [...path, key], point, true)),
		};
	}

	/** @param past set in the past: the value is changed there only, and kept for a fork */
	setVariable(branch: InspectedBranch, { frame, path, value }: CommandOf<'set_variable'>, past?: PastChanges): DebugVariable {
		const point = getPausePoint(branch, frame);
		const { value: now, selector, fixed } = resolvePath(path, point, this.#results);
		if (selector === undefined || fixed) {
			throw new ServiceFault(
				400,
				fixed
					? localizable`This value can't be set because it's a secret.`
					: localizable`This value can't be set because it isn't a variable. Expected a variable, such as an output of a node.`,
				{ params: 'path' },
			);
		}
		if (containsMask(value) && containsMask(maskSecrets(now, point.level)) && !containsMask(now)) {
			throw new ServiceFault(
				400,
				localizable`value: The current value contains a secret, shown as ${mask}, which would be lost. Expected a value without ${mask}.`,
				{ params: 'value' },
			);
		}
		past?.requireSettable(point, selector);
		const previous = setVariableValue(point.level, selector, value);
		if (past) {
			past.addValue(point, selector);
			return this.#createVariable(String(path.at(-1)), path, point);
		}
		// the debugged run also reports events of agents that it uses as tools
		const { run, place } = getOutermostLevel(point.level);
		const agent = getAgentName(point.level);
		run.events.emitVariableSet({
			selector,
			value: maskSecrets(value, point.level),
			previous: maskSecrets(previous ?? null, point.level),
			node_id: branch.node.id,
			...(agent === undefined ? point.level.place : { agent, ...place }),
		});
		return this.#createVariable(String(path.at(-1)), path, point);
	}

	async evaluateExpression(branch: InspectedBranch, { frame, expression }: CommandOf<'evaluate'>): Promise<DebugVariable> {
		const point = getPausePoint(branch, frame);
		const text = expression.trim();
		const reference = new RegExp(`^${referencePattern.source}$`).exec(text)?.[1] ?? (/^[\w-]+(\.[\w-]+)+$/.test(text) ? text : undefined);
		const path = reference === undefined ? undefined : findPath(reference.split('.'), point);
		if (path) {
			return { ...this.#createVariable(text, path, point), name: text };
		}
		if (text.includes('{{#')) {
			return toDebugVariable(text, maskSecrets(resolveText(text, point.level.variables), point.level));
		}
		// the evaluation took too long, or the values are too big
		const [outcome] = await this.#evaluateAll([text], point).catch((error: Error): readonly Evaluated[] => [{ error: error.message }]);
		if (!outcome || 'error' in outcome) {
			throw new ServiceFault(400, localizable`Couldn't evaluate the expression: ${outcome?.error ?? 'no result'}`, {
				params: 'expression',
			});
		}
		return toDebugVariable(text, outcome.value, { path: ['results', this.#storeResult(outcome.value)] });
	}

	completeExpression(branch: InspectedBranch, { frame, text, column }: CommandOf<'complete'>): DebugAnswers['complete'] {
		return { items: [...getCompletions(text, column, getPausePoint(branch, frame))] };
	}

	async #evaluateAll(expressions: readonly string[], point: PausePoint) {
		const values = getExpressionValues(expressions, point, value => maskSecrets(value, point.level));
		return this.#expressions.evaluateAll(expressions, values, point.level.run.scheduler.signal);
	}

	#storeResult(value: unknown): number {
		const number = ++this.#lastResult;
		this.#results.set(number, value);
		this.#results.delete(number - keptResults);
		return number;
	}

	#createVariable(name: string, path: ValuePath, point: PausePoint, inList = false): DebugVariable {
		const { value, selector, fixed } = resolvePath(path, point, this.#results);
		return toDebugVariable(name, maskSecrets(value, point.level), {
			path,
			inList,
			...(selector && { selector }),
			settable: selector !== undefined && !fixed && isSettable(getSegmentType(value)),
		});
	}
}

/** True if a value contains the mask of secrets. */
function containsMask(value: unknown): boolean {
	return (JSON.stringify(value) ?? '').includes(mask);
}

/** Returns a stack frame of a branch. Throws an error (400) if it doesn't exist. */
function getPausePoint(branch: InspectedBranch, frame = 0): PausePoint {
	const points = listPausePoints(branch);
	const point = points[frame];
	if (!point) {
		throw new ServiceFault(400, localizable`frame: Expected a number from 0 to ${points.length - 1}.`, { params: 'frame' });
	}
	return point;
}

/** Returns the path where a variable is listed; undefined if it doesn't exist. */
function findPath(selector: readonly string[], point: PausePoint): ValuePath | undefined {
	const [node = '', ...keys] = selector;
	const scope: ValuePath =
		node === getContainer(point)?.node.id ? ['loop'] : ['sys', 'env', 'conversation'].includes(node) ? [node] : ['outputs', node];
	let value: unknown = point.level.variables.getAllValues(node);
	for (const key of keys) {
		value = getMember(value, key);
	}
	return value === undefined || keys.length === 0 ? undefined : [...scope, ...keys];
}
