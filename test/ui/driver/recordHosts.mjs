// Loaded into VS Code's server and what it starts (--import): appends a line of JSON for each connection that a process opens and for each
// port on which it listens, to the file AGENT_WORKBENCH_TEST_HOSTS.
import childProcess from 'node:child_process';
import dgram from 'node:dgram';
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import net from 'node:net';
import path from 'node:path';

const file = process.env['AGENT_WORKBENCH_TEST_HOSTS'];
const program = process.argv.slice(1).find(arg => arg.startsWith('--type=')) ?? path.basename(process.argv[1] ?? '');

function record(what, host, port) {
	// threads and programs with another environment have no file
	if (!file) {
		return;
	}
	fs.appendFileSync(file, `${JSON.stringify({ program, what, address: `${host}:${port}` })}\n`);
}

const { connect } = net.Socket.prototype;
net.Socket.prototype.connect = function (...args) {
	// net.connect passes its normalized arguments as one array
	const [first, second] = Array.isArray(args[0]) ? args[0] : args;
	const options = typeof first === 'object' ? first : { port: first, host: typeof second === 'string' ? second : undefined };
	// without a port it's a socket file
	if (options.port !== undefined && Number(options.port) >= 0) {
		record('contacts', options.host ?? 'localhost', options.port);
	}
	return connect.apply(this, args);
};

const { listen } = net.Server.prototype;
net.Server.prototype.listen = function (...args) {
	this.once('listening', () => {
		const address = this.address();
		if (typeof address === 'object' && address) {
			record('listens', address.address, address.port);
		}
	});
	return listen.apply(this, args);
};

const { send } = dgram.Socket.prototype;
dgram.Socket.prototype.send = function (...args) {
	record('contacts', args.findLast(arg => typeof arg === 'string') ?? 'localhost', 'udp');
	return send.apply(this, args);
};

// the extension starts gateways without variables such as these
const { spawn } = childProcess;
childProcess.spawn = (command, args, options) => {
	const main = args?.find(arg => !arg.startsWith('--')) ?? '';
	const isOurs = command === process.execPath && path.basename(main).startsWith('gateway');
	const added = { AGENT_WORKBENCH_TEST_HOSTS: file, NODE_OPTIONS: `--import ${import.meta.url}` };
	return spawn(command, args, isOurs ? { ...options, env: { ...options.env, ...added } } : options);
};
syncBuiltinESMExports();
