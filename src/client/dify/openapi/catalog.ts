import { createHash } from 'node:crypto';
import { fieldsOf, isRecord } from '#base/records/plainValues.ts';
import type { Reply } from '../../replyCollector.ts';
import type { ManagementRequest } from '../requests/managementRequest.ts';
import type { ApiEndpoint } from './endpoints.ts';

/** Asks for the operations that a deployment has, without credentials. */
export const catalogRequest: ManagementRequest = { purpose: 'catalog', method: 'GET', path: '/openapi/v1/_catalog' };

/** What the header `X-Dify-Catalog` names: every answer's says which catalog is current. */
export const catalogHeader = 'x-dify-catalog';

/** Operations of a deployment from 1.18 on, and where each of them is. */
export class Catalog {
	/** SHA-256 of the catalog's bytes, in hex: every request must name it. */
	readonly fingerprint: string;
	readonly #byName: ReadonlyMap<string, ApiEndpoint>;

	/** Throws where the answer is no catalog. */
	constructor({ headers, body }: Reply) {
		const value: unknown = JSON.parse(body);
		const ops = isRecord(value) ? value['ops'] : undefined;
		if (!isRecord(ops)) {
			throw new TypeError('not a catalog');
		}
		const named = String(headers[catalogHeader] ?? '');
		this.fingerprint = /^[0-9a-f]{64}$/.test(named) ? named : createHash('sha256').update(body).digest('hex');
		this.#byName = new Map(Object.entries(ops).flatMap(([name, op]) => endpointsOf(name, op)));
	}

	/** Where an operation is: by its name, or else by a path of the same form; `undefined` where the deployment does not have it. */
	find(expected: ApiEndpoint): ApiEndpoint | undefined {
		const named = expected.name === undefined ? undefined : this.#byName.get(expected.name);
		const form = formOf(expected.path);
		const found = named ?? [...this.#byName.values()].find(({ method, path }) => method === expected.method && formOf(path) === form);
		return found && withNamesOf(expected, found);
	}
}

/** None for what this client could not send, and for what would lead out of the management. */
function endpointsOf(name: string, op: unknown): [string, ApiEndpoint][] {
	const { method, path } = fieldsOf(op);
	if (typeof path !== 'string' || !path.startsWith('/') || path.includes('..')) {
		return [];
	}
	const whole = path.startsWith('/openapi/v1/') ? path : `/openapi/v1${path}`;
	switch (method) {
		case 'GET':
		case 'POST':
		case 'PATCH':
		case 'DELETE':
			return [[name, { name, method, path: whole }]];
		default:
			return [];
	}
}

/** Names in paths may differ from ours: they stand in the same order then. */
function withNamesOf(expected: ApiEndpoint, found: ApiEndpoint): ApiEndpoint | undefined {
	const ours = namesOf(expected.path);
	const theirs = namesOf(found.path);
	if (theirs.every(name => ours.includes(name))) {
		return found;
	}
	return ours.length === theirs.length ? { ...found, path: found.path.replace(/\{\w+\}/g, () => `{${ours.shift()}}`) } : undefined;
}

function namesOf(path: string): string[] {
	return [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!);
}

function formOf(path: string): string {
	return path.replace(/\{\w+\}/g, '{}');
}
