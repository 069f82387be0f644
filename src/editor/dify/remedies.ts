import type { DifyManagement } from '#client/dify/management.ts';
import type { ConnectionEntry } from '../connections/connectionEntries.ts';
import { toDifyProblem } from './difyProblem.ts';

/** Wraps a management so that its errors are reported to `onFault` and converted into problems with a remedy ({@link toDifyProblem}). */
export function addRemedies(management: DifyManagement, entry: ConnectionEntry, onFault: (error: unknown) => void): DifyManagement {
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
									throw toProblemOfApp(error, entry, args[0]);
								})
							: result;
					};
		},
	});
}

/** Expects the app's ID, which is the first argument of all methods for an app. */
function toProblemOfApp(error: unknown, entry: ConnectionEntry, id: unknown): unknown {
	const app = typeof id === 'string' ? { id, name: id, description: '', mode: '', updatedAt: undefined } : undefined;
	return toDifyProblem(error, entry, app && { connectionId: entry.id, app });
}
