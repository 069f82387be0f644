import { localizable } from '#base/text/localizableMessage.ts';
import type { DebugAnswers } from '#contract/debugAnswers.ts';
import { ServiceFault } from '#contract/faults/serviceFault.ts';
import { isObjectValue } from '#engine/variables/objectValue.ts';
import type { PausePoint } from './branches.ts';
import { getContainer, getHiddenSecrets, getNodesWithOutputs } from './expressionValues.ts';
import { getNodeInputs } from './nodeInputs.ts';

/** The name of a scope, followed by keys and indexes. */
export type ValuePath = readonly (string | number)[];

/** The value at a path, and its variable. */
interface Place {
	readonly value: unknown;
	/** The variable, followed by keys into it; undefined if the value doesn't belong to a variable. */
	readonly selector?: ValuePath;
	/** True if the variable can't be set. */
	readonly fixed?: boolean;
}

type Scope = DebugAnswers['scopes']['scopes'][number];

/** Returns the scopes of a position that aren't empty. */
export function listScopes(point: PausePoint): readonly Scope[] {
	const { variables } = point.level;
	const container = getContainer(point);
	const all: readonly (readonly [string, string, number])[] = [
		['Inputs', 'inputs', point.node ? getNodeInputs(point.node, variables).length : 0],
		['Outputs so far', 'outputs', getNodesWithOutputs(point).length],
		['Item and loop', 'loop', container ? Object.keys(variables.getAllValues(container.node.id)).length : 0],
		['Conversation', 'conversation', Object.keys(variables.getAllValues('conversation')).length],
		['System', 'sys', Object.keys(variables.getAllValues('sys')).length],
		['Environment', 'env', Object.keys(variables.getAllValues('env')).length],
	];
	return all
		.filter(([, scope, children]) => children > 0 || scope === 'inputs')
		.map(([name, scope, children]) => ({ name, path: [scope], children, ...(scope === 'env' && { expensive: true }) }));
}

/** Returns the value at a path. Only masks secrets of the environment. Throws an error (400) if there is no such value. */
export function resolvePath(path: ValuePath, point: PausePoint, results: ReadonlyMap<number, unknown>): Place {
	const [scope, ...rest] = path;
	switch (scope) {
		case 'inputs': {
			const inputs = point.node ? getNodeInputs(point.node, point.level.variables) : [];
			if (rest.length === 0) {
				return { value: Object.fromEntries(inputs.map(({ name, value }) => [name, value])) };
			}
			const input = inputs.find(({ name }) => name === rest[0]);
			return input ? resolveInnerPath(input.value, rest.slice(1), path, input.selector && [...input.selector]) : throwNotFound(path);
		}
		case 'outputs': {
			const ids = getNodesWithOutputs(point);
			if (rest.length === 0) {
				return { value: Object.fromEntries(ids.map(id => [id, point.level.variables.getAllValues(id)])) };
			}
			return ids.includes(String(rest[0])) ? resolveVariablePath(String(rest[0]), rest.slice(1), path, point) : throwNotFound(path);
		}
		case 'loop': {
			const container = getContainer(point);
			return container ? resolveVariablePath(container.node.id, rest, path, point) : throwNotFound(path);
		}
		case 'conversation':
		case 'sys':
			return resolveVariablePath(scope, rest, path, point);
		case 'env': {
			const secrets = getHiddenSecrets(point);
			const place = resolveInnerPath({ ...point.level.variables.getAllValues('env'), ...secrets }, rest, path, ['env']);
			return { ...place, ...(Object.hasOwn(secrets, String(rest[0])) && { fixed: true }) };
		}
		case 'results':
			return resolveInnerPath(results.get(Number(rest[0])), rest.slice(1), path);
		default:
			return throwNotFound(path);
	}
}

function resolveVariablePath(node: string, rest: ValuePath, path: ValuePath, { level }: PausePoint): Place {
	return resolveInnerPath(level.variables.getAllValues(node), rest, path, [node]);
}

function resolveInnerPath(start: unknown, keys: ValuePath, path: ValuePath, selector?: ValuePath): Place {
	let value = start;
	for (const key of keys) {
		value = getMember(value, key);
		if (value === undefined) {
			return throwNotFound(path);
		}
	}
	const named = selector && [...selector, ...keys];
	return { value, ...(named && named.length > 1 && { selector: named }) };
}

/** Returns an own property of an object, or an item of a list. */
export function getMember(value: unknown, key: string | number): unknown {
	if (Array.isArray(value)) {
		// other numeric strings, such as 01, aren't indexes
		return String(Number(key)) === String(key) ? value[Number(key)] : undefined;
	}
	return isObjectValue(value) && Object.hasOwn(value, key) ? value[key] : undefined;
}

function throwNotFound(path: ValuePath): never {
	throw new ServiceFault(
		400,
		localizable`Nothing found at ${JSON.stringify(path).slice(0, 200)}. Expected a path of scopes or variables.`,
		{
			params: 'path',
		},
	);
}
