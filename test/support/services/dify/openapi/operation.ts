import { type Exchange, type Handler, Refusal, type Route } from '../exchange.ts';
import type { OpenapiGeneration } from '../releases.ts';

/** An operation of `/openapi/v1` in one generation. */
export interface Operation extends Route {
	/** Its name in the catalog; `undefined` if it isn't listed. */
	readonly op: string | undefined;
	/** Required role in the workspace. */
	readonly needs: 'member' | 'editor' | 'admin';
	/** Accepted fields; all others are refused. */
	readonly query: readonly string[];
	readonly body: readonly string[];
	readonly streams: boolean;
}

export type Paths = Partial<Record<OpenapiGeneration, string>>;

/** Returns the same path for all generations. */
export function createFixedPath(path: string): Paths {
	return { '1.15': path, '1.16': path, '1.18': path };
}

/** Returns one path for 1.15, and another one for later generations. */
export function createRenamedPath(before: string, after: string): Paths {
	return { '1.15': before, '1.16': after, '1.18': after };
}

export function createNewestPath(path: string): Paths {
	return { '1.18': path };
}

type More = Partial<Pick<Operation, 'needs' | 'query' | 'body' | 'streams' | 'open'>>;

/** Declares an operation. The result creates the operation for a generation, or returns `undefined` if the generation lacks it. */
export function declareOperation(
	op: string | undefined,
	method: string,
	paths: Paths,
	more: More,
	handle: Handler,
): (generation: OpenapiGeneration) => Operation[] {
	return generation => {
		const path = paths[generation];
		return path ? [{ op, method, path, handle, needs: 'member', query: [], body: [], streams: false, ...more }] : [];
	};
}

/** Throws an error that names the unknown fields, if there are any. */
export function checkFields({ query, body }: Exchange, operation: Operation): void {
	const unknown = [
		...[...query.keys()].filter(each => !operation.query.includes(each)),
		...Object.keys(body).filter(each => !operation.body.includes(each)),
	];
	if (unknown.length > 0) {
		throw createInvalidError(unknown.map(each => ({ type: 'extra_forbidden', loc: [each], msg: 'Extra inputs are not permitted' })));
	}
}

/** Creates a 422 error with the positions of the invalid values. */
export function createInvalidError(
	details: readonly { readonly type: string; readonly loc: readonly (string | number)[]; readonly msg: string }[],
): Refusal {
	return new Refusal(422, 'invalid_param', 'Request validation failed', { details });
}

/** Returns a required string of the body. */
export function getRequiredText(body: Record<string, unknown>, name: string): string {
	const value = body[name];
	if (typeof value !== 'string') {
		throw createInvalidError([
			{
				type: value === undefined ? 'missing' : 'string_type',
				loc: [name],
				msg: value === undefined ? 'Field required' : 'Input should be a valid string',
			},
		]);
	}
	return value;
}
