import assert from 'node:assert/strict';
import http from 'node:http';
import { formatMessage } from '#base/text/localizableMessage.ts';
import { detectDeployment } from '#client/dify/detectDeployment.ts';
import { closeServers, getServerUrl, listenOnLoopback } from '../../support/services/loopback.ts';
import { listRequests, startTrackedDeployment, stopDeployments } from './managed.ts';

const network = { environment: {} };
const detectLocalDeployment = (origin: string) => detectDeployment(origin, { network });

describe('detecting a Dify deployment', () => {
	after(stopDeployments);

	for (const [release, generation] of [
		['1.15.0', 'openapi-1.15'],
		['1.16.2', 'openapi-1.16'],
		['1.17.1', 'openapi-1.16'],
		['1.18.0', 'openapi-1.18'],
	] as const) {
		it(`finds /openapi in ${release}`, async () => {
			const fake = await startTrackedDeployment({ release });
			assert.deepEqual(await detectLocalDeployment(`${fake.origin}/v1`), {
				origin: fake.origin,
				generation,
				version: release,
				edition: 'SELF_HOSTED',
				signIns: ['device', 'password'],
			});
		});
	}

	for (const release of ['1.9.1', '1.11.1', '1.14.2']) {
		it(`finds only a console in ${release}`, async () => {
			const { origin } = await startTrackedDeployment({ release });
			assert.deepEqual(await detectLocalDeployment(origin), {
				origin,
				generation: 'console',
				version: release,
				edition: undefined,
				signIns: ['password'],
			});
		});
	}

	it('signs in to the cloud in the browser', async () => {
		const fake = await startTrackedDeployment({ release: '1.18.0', edition: 'CLOUD' });
		assert.deepEqual((await detectLocalDeployment(fake.origin)).signIns, ['device']);
		assert.deepEqual(listRequests(fake), ['GET /openapi/v1/_version']);
	});

	it('finds the console if /openapi is off', async () => {
		const fake = await startTrackedDeployment({ release: '1.18.0', openapiEnabled: false });
		const found = await detectLocalDeployment(fake.origin);
		assert.deepEqual([found.generation, found.version, found.signIns], ['console', '1.18.0', ['password']]);
	});

	it('names the switches for the operator if no sign-in is available', async () => {
		const newer = await startTrackedDeployment({ release: '1.18.0', openapiEnabled: false, passwordLogin: false });
		const found = await detectLocalDeployment(newer.origin);
		assert.deepEqual(found.signIns, []);
		assert.match(formatMessage(found.closedBecause!), /OPENAPI_ENABLED=true and ENABLE_OAUTH_BEARER=true/);
		const older = await startTrackedDeployment({ release: '1.12.0', passwordLogin: false });
		assert.match(formatMessage((await detectLocalDeployment(older.origin)).closedBecause!), /1\.15 or later/);
	});

	it('retries after a temporary failure and reports a lasting one', async () => {
		const fake = await startTrackedDeployment({ release: '1.18.0' });
		fake.faults.planFault(/_version/, { kind: 'refuse', status: 502 });
		assert.equal((await detectLocalDeployment(fake.origin)).generation, 'openapi-1.18');
		fake.faults.planFault(/_version/, { kind: 'page', status: 502 }, 3);
		await assert.rejects(detectLocalDeployment(fake.origin), { name: 'ServiceError', reason: 'server', status: 502 });
	});

	it('refuses services other than Dify and addresses without TLS', async () => {
		const other = http.createServer((_request, response) => response.writeHead(404).end('<h1>Nothing</h1>'));
		await listenOnLoopback(other);
		await assert.rejects(detectLocalDeployment(getServerUrl(other)), {
			reason: 'not-found',
			code: 'no_dify',
			message: /neither \/openapi\/v1 nor \/console\/api/,
		});
		await closeServers(other);
		await assert.rejects(detectLocalDeployment('http://dify.example.com'), { reason: 'invalid-request', message: /without encryption/ });
		await assert.rejects(detectLocalDeployment('dify.example.com'), { reason: 'invalid-request', message: /must start with https/ });
	});

	it('sends no password to an unknown release', async () => {
		const silent = http.createServer((request, response) =>
			request.url?.startsWith('/console') ? response.end('{"enable_email_password_login": true}') : response.writeHead(404).end(),
		);
		await listenOnLoopback(silent);
		const found = await detectLocalDeployment(getServerUrl(silent));
		await closeServers(silent);
		assert.deepEqual([found.generation, found.version, found.signIns], ['console', undefined, []]);
		assert.match(formatMessage(found.closedBecause!), /X-Version/);
	});

	it('follows no redirect', async () => {
		const elsewhere: string[] = [];
		const other = http.createServer((request, response) => {
			elsewhere.push(String(request.url));
			response.end('{"version":"1.18.0"}');
		});
		await listenOnLoopback(other);
		const moved = http.createServer((_request, response) => response.writeHead(307, { location: getServerUrl(other) }).end());
		await listenOnLoopback(moved);
		await assert.rejects(detectLocalDeployment(getServerUrl(moved)), { code: 'no_dify' });
		assert.deepEqual(elsewhere, []);
		await Promise.all([closeServers(other), closeServers(moved)]);
	});
});
