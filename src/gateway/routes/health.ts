import type { Route } from '../server/route.ts';

/**
 * `/`: says what answers here, and where to read on. `/healthz`: says that the process serves requests, and which one it is: `instance` is the one that the lock of its data folder names (`Lock`), so that
 * a key is sent to no other. Needs no key and tells nothing else.
 */
export function healthRoutes(instance: string): readonly Route[] {
	return [
		{
			method: 'GET',
			path: '/',
			group: 'open',
			handle: exchange => exchange.sendJson(200, { service, description: '/openapi.json', health: '/healthz' }),
		},
		{
			method: 'GET',
			path: '/healthz',
			group: 'open',
			handle: exchange => exchange.sendJson(200, { status: 'ok', service, pid: process.pid, instance }),
		},
	];
}

const service = 'agent-workbench-gateway';
