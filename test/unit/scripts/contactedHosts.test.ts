import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { pathToFileURL } from 'node:url';
import { ContactedHosts } from '../../ui/driver/contactedHosts.ts';

describe('the record of contacted hosts', () => {
	let hosts: ContactedHosts;
	beforeEach(() => {
		hosts = new ContactedHosts();
	});
	afterEach(() => hosts.remove());

	function runProgram(source: string): void {
		const imports = hosts.server.preload!.flatMap(file => ['--import', pathToFileURL(file).href]);
		execFileSync(process.execPath, [...imports, '--input-type=module', '-e', source], {
			env: { ...process.env, ...hosts.server.environment },
			stdio: 'pipe',
		});
	}

	it('names hosts contacted by fetch, sockets and datagrams, and not servers of the same window', () => {
		runProgram(`
			import net from 'node:net';
			import dgram from 'node:dgram';
			const server = net.createServer(socket => socket.end()).listen(0, '127.0.0.1', async () => {
				await new Promise(resolve => net.connect(server.address().port, '127.0.0.1', resolve).on('close', resolve));
				server.close();
				await fetch('http://127.0.0.2:81/').catch(() => undefined);
				await fetch('http://telemetry.invalid:81/').catch(() => undefined);
				await new Promise(resolve => net.connect({ host: 'other.invalid', port: 443 }).on('error', resolve));
				const socket = dgram.createSocket('udp4');
				socket.send('x', 9, '127.0.0.3', () => socket.close());
			});
		`);
		assert.deepEqual(hosts.readContacts().foreign, ['127.0.0.2:81', '127.0.0.3:udp', 'other.invalid:443', 'telemetry.invalid:81']);
		assert.deepEqual(hosts.listUnnamed(['{"baseUrl":"http://other.invalid/v1"}']), ['telemetry.invalid']);
	});

	it('includes gateways that a program starts without its environment', () => {
		const gateway = `${import.meta.dirname}/../../fixtures/gatewayThatCalls.mjs`;
		runProgram(`
			import { spawn } from 'node:child_process';
			spawn(process.execPath, [${JSON.stringify(gateway)}], { env: {}, stdio: 'ignore' });
		`);
		assert.deepEqual(hosts.readContacts(), { programs: ['gatewayThatCalls.mjs'], foreign: ['models.invalid:443'] });
	});
});
