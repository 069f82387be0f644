import type { DifyManagement } from '../client/dify/management.ts';
import type { ConnectionEntry } from '../connections/connectionEntries.ts';
import { difyProblem } from './difyProblem.ts';

/** The same management; what it refuses comes with the action that mends it ({@link difyProblem}), whoever asked. */
export function withRemedies(management: DifyManagement, entry: ConnectionEntry): DifyManagement {
	return new Proxy(management, {
		get(target, name) {
			const value: unknown = Reflect.get(target, name, target);
			return typeof value !== 'function'
				? value
				: (...args: unknown[]) => {
						const result: unknown = value.apply(target, args);
						return result instanceof Promise ? result.catch((error: unknown) => Promise.reject(problemOf(error, entry, args[0]))) : result;
					};
		},
	});
}

/** The methods that are about an app take its ID first. */
function problemOf(error: unknown, entry: ConnectionEntry, id: unknown): unknown {
	const app = typeof id === 'string' ? { id, name: id, description: '', mode: '', updatedAt: undefined } : undefined;
	return difyProblem(error, entry, app && { connectionId: entry.id, app });
}
