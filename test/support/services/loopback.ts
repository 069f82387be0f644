import { once } from 'node:events';
import type http from 'node:http';
import type net from 'node:net';

/** Makes servers listen on 127.0.0.1, each on a free port. */
export async function listenOnLoopback(...servers: readonly net.Server[]): Promise<void> {
	await Promise.all(servers.map(server => once(server.listen(0, '127.0.0.1'), 'listening')));
}

/** Closes servers and their connections. */
export async function closeServers(...servers: readonly http.Server[]): Promise<void> {
	const ends = servers.map(server => once(server, 'close'));
	for (const server of servers) {
		server.close();
		server.closeAllConnections();
	}
	await Promise.all(ends);
}

export function getServerPort(server: net.Server): number {
	return (server.address() as net.AddressInfo).port;
}

export function getServerUrl(server: net.Server): string {
	return `http://127.0.0.1:${getServerPort(server)}`;
}
