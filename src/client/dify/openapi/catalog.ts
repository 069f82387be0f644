import { createHash } from 'node:crypto';
import { isRecord, toFields } from '#base/records/plainValues.ts';
import { tryParseJson } from '#base/text/json.ts';
import type { Reply } from '../../replyCollector.ts';
import type { ManagementRequest } from '../requests/managementRequest.ts';
import type { ApiEndpoint } from './endpoints.ts';

/** Requests the list of the deployment's operations, without credentials. */
export const catalogRequest: ManagementRequest = { purpose: 'catalog', method: 'GET', path: '/openapi/v1/_catalog' };

/** Header that names the current catalog in every response. */
export const catalogHeader = 'x-dify-catalog';

/** Operations of a deployment from 1.18 on, with their endpoints. */
export class Catalog {
	/** SHA-256 of the catalog's bytes, in hex. Every request must send it. */
	readonly fingerprint: string;
	readonly #byName: ReadonlyMap<string, ApiEndpoint>;

	/** Throws if the response isn't a catalog. */
	constructor({ headers, body }: Reply) {
		const value = tryParseJson(body);
		const ops = isRecord(value) ? value['ops'] : undefined;
		if (!isRecord(ops)) {
			throw new TypeError('not a catalog');
		}
		const named = String(headers[catalogHeader] ?? '');
		this.fingerprint = /^[0-9a-f]{64}$/.test(named) ? named : createHash('sha256').update(body).digest('hex');
		this.#byName = new Map(Object.entries(ops).flatMap(([name, op]) => readEndpoints(name, op)));
	}

	/** Finds an operation's endpoint by name, or else by a path of the same shape. Returns `undefined` if the deployment doesn't have it. */
	findEndpoint(expected: ApiEndpoint): ApiEndpoint | undefined {
		const named = expected.name === undefined ? undefined : this.#byName.get(expected.name);
		const form = toPathForm(expected.path);
		const found = named ?? [...this.#byName.values()].find(({ method, path }) => method === expected.method && toPathForm(path) === form);
		return found && adoptPlaceholderNames(expected, found);
	}
}

/** Skips endpoints that this client can't call and paths outside the management API. */
function readEndpoints(name: string, op: unknown): [string, ApiEndpoint][] {
	const { method, path } = toFields(op);
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

/** Returns a found endpoint with our placeholder names. Its own may differ but are in the same order. */
function adoptPlaceholderNames(expected: ApiEndpoint, found: ApiEndpoint): ApiEndpoint | undefined {
	const ours = listPlaceholders(expected.path);
	const theirs = listPlaceholders(found.path);
	if (theirs.every(name => ours.includes(name))) {
		return found;
	}
	return ours.length === theirs.length ? { ...found, path: found.path.replace(/\{\w+\}/g, () => `{${ours.shift()}}`) } : undefined;
}

function listPlaceholders(path: string): string[] {
	return [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!);
}

function toPathForm(path: string): string {
	return path.replace(/\{\w+\}/g, '{}');
}
