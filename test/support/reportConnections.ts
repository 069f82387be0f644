// Loaded into a process with `--import`: appends a line to the file CONNECTIONS_FILE for each connection that the process opens, each host name
// that it looks up, and each process that it starts.
import { ChildProcess } from 'node:child_process';
import dgram from 'node:dgram';
import dns from 'node:dns';
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import net from 'node:net';

const file = process.env['CONNECTIONS_FILE'];

function reportCalls(owner: object, name: string): void {
	const methods = owner as Record<string, (...args: unknown[]) => unknown>;
	const real = methods[name];
	if (!file || !real) {
		throw new Error(`Can't report calls of ${name}.`);
	}
	methods[name] = function (this: unknown, ...args) {
		fs.appendFileSync(file, `${name} ${new Error().stack?.split('\n').slice(2, 5).join(' <')}\n`);
		return real.apply(this, args);
	};
}

reportCalls(net.Socket.prototype, 'connect');
reportCalls(dgram.Socket.prototype, 'send');
reportCalls(dgram.Socket.prototype, 'connect');
reportCalls(dns, 'lookup');
reportCalls(dns.promises, 'lookup');
reportCalls(ChildProcess.prototype, 'spawn');
syncBuiltinESMExports();
