import { createHash } from 'node:crypto';
import type { Route } from '../exchange.ts';
import type { Operation } from './operation.ts';

/** The catalog of 1.18: which operations there are, and where. A test renames paths and rotates it as an update of the deployment does. */
export class Catalog {
	/** Path by operation, in place of the usual one. */
	readonly moved = new Map<string, string>();
	/** Operations that this deployment lacks. */
	readonly absent = new Set<string>();
	#revision = 1;

	/** Another catalog of the same operations. */
	rotate(): void {
		this.#revision += 1;
	}

	/** An operation's path from now on. */
	move(op: string, path: string): void {
		this.moved.set(op, path);
		this.rotate();
	}

	applied(operations: readonly Operation[]): readonly Operation[] {
		return operations
			.filter(each => !each.op || !this.absent.has(each.op))
			.map(each => ({ ...each, path: (each.op && this.moved.get(each.op)) || each.path }));
	}

	text(routes: readonly Route[]): string {
		const named = routes.filter((each): each is Operation & { op: string } => 'op' in each && each.op !== undefined);
		return JSON.stringify({ revision: this.#revision, ops: Object.fromEntries(named.map(each => [each.op, entry(each)])) });
	}

	/** What each authenticated request has to send. */
	hash(routes: readonly Route[]): string {
		return createHash('sha256').update(this.text(routes)).digest('hex');
	}
}

function entry({ method, path, query, body, streams }: Operation): object {
	const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(match => match[1] ?? '');
	const bind = Object.fromEntries([
		...inPath.map(name => [name, 'path']),
		...query.map(name => [name, 'query']),
		...body.map(name => [name, 'body']),
	]) as Record<string, string>;
	const properties = Object.fromEntries(Object.keys(bind).map(name => [name, {}]));
	return {
		method,
		path: `/openapi/v1${path}`,
		kind: streams ? 'stream' : 'object',
		input: { type: 'object', properties, required: inPath },
		bind,
	};
}
