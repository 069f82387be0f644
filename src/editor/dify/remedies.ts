import type { DifyManagement } from '#client/dify/management.ts';
import type { ConnectionEntry } from '../connections/connectionEntries.ts';
import { difyProblem } from './difyProblem.ts';

/** The same management; what it refuses is told to `onFault`, and comes with the action that mends it ({@link difyProblem}), whoever asked. */
export function withRemedies(management: DifyManagement, entry: ConnectionEntry, onFault: (error: unknown) => void): DifyManagement {
	return new Proxy(management, {
		get(target, name) {
			const value: unknown = Reflect.get(target, name, target);
			return typeof value !== 'function'
				? value
				: (...args: unknown[]) => {
						const result: unknown = value.apply(target, args);
						return result instanceof Promise
							? result.catch((error: unknown) => {
									onFault(error);
									throw problemOf(error, entry, args[0]);
								})
							: result;
					};
		},
	});
}

/** The methods that are about an app take its ID first. */
function problemOf(error: unknown, entry: ConnectionEntry, id: unknown): unknown {
	const app = typeof id === 'string' ? { id, name: id, description: '', mode: '', updatedAt: undefined } : undefined;
	return difyProblem(error, entry, app && { connectionId: entry.id, app });
}
