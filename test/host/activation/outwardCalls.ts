import { AsyncLocalStorage } from 'node:async_hooks';
import { ChildProcess } from 'node:child_process';
import dgram from 'node:dgram';
import net from 'node:net';

const watched: readonly (readonly [object, string])[] = [
	[net.Socket.prototype, 'connect'],
	[net.Server.prototype, 'listen'],
	[dgram.Socket.prototype, 'bind'],
	[ChildProcess.prototype, 'spawn'],
];

/**
 * Returns the call stacks of sockets, servers and child processes that `act` opens, including work deferred by a few turns of the event
 * loop. Ignores calls of other code meanwhile.
 */
export async function recordOutwardCalls(act: () => void): Promise<string[]> {
	const calls: string[] = [];
	const inside = new AsyncLocalStorage<true>();
	const undo = watched.map(([owner, name]) => {
		const original = Reflect.get(owner, name) as (...args: unknown[]) => unknown;
		Reflect.set(owner, name, function (this: unknown, ...args: unknown[]) {
			if (inside.getStore()) {
				calls.push(new Error(name).stack ?? name);
			}
			return original.apply(this, args);
		});
		return () => Reflect.set(owner, name, original);
	});
	try {
		inside.run(true, act);
		await new Promise(resolve => setImmediate(() => setTimeout(resolve, 50)));
		return calls;
	} finally {
		for (const restore of undo) {
			restore();
		}
	}
}
