import { createHash } from 'node:crypto';
import type { Route } from '../exchange.ts';
import type { Operation } from './operation.ts';

/** The catalog of 1.18: operations and their paths. A test can move paths, and change the hash like an update of the deployment. */
export class Catalog {
	/** Changed paths by operation. */
	readonly moved = new Map<string, string>();
	/** Operations that this deployment lacks. */
	readonly absent = new Set<string>();
	#revision = 1;

	/** Changes the catalog's hash but not its operations. */
	changeHash(): void {
		this.#revision += 1;
	}

	/** Changes an operation's path. */
	changePath(op: string, path: string): void {
		this.moved.set(op, path);
		this.changeHash();
	}

	getOperations(operations: readonly Operation[]): readonly Operation[] {
		return operations
			.filter(each => !each.op || !this.absent.has(each.op))
			.map(each => ({ ...each, path: (each.op && this.moved.get(each.op)) || each.path }));
	}

	formatCatalog(routes: readonly Route[]): string {
		const named = routes.filter((each): each is Operation & { op: string } => 'op' in each && each.op !== undefined);
		return JSON.stringify({ revision: this.#revision, ops: Object.fromEntries(named.map(each => [each.op, toCatalogEntry(each)])) });
	}

	/** Returns the hash that each authenticated request must send. */
	computeHash(routes: readonly Route[]): string {
		return createHash('sha256').update(this.formatCatalog(routes)).digest('hex');
	}
}

function toCatalogEntry({ method, path, query, body, streams }: Operation): object {
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
