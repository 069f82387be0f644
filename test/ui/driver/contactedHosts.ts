import fs from 'node:fs';
import path from 'node:path';
import type { Page, Request } from 'playwright-core';
import type { ServerOptions } from '../../../scripts/lib/server.ts';
import { makeTempFolder, removeFolder } from '../../../scripts/lib/tempFolder.ts';

interface NetworkEvent {
	/** Name of the program, for example gateway.js, or `page`. */
	program: string;
	what: 'contacts' | 'listens';
	/** host:port */
	address: string;
}

/** VS Code's own server, whose contacts aren't ours. */
const editorServer = 'server-main.js';

/** What a window contacted. */
export interface Contacts {
	/** Names of the programs with a connection or an open port. */
	programs: string[];
	/** Addresses (host:port) on which no program of the window listened. */
	foreign: string[];
}

/** Records each host that a window, its extension host and the processes that this starts contact. */
export class ContactedHosts {
	readonly #folder = makeTempFolder();
	readonly #file = path.join(this.#folder, 'hosts.jsonl');
	readonly #pages = new Set<string>();

	/** Options for VS Code's server. */
	readonly server: Pick<ServerOptions, 'preload' | 'environment'> = {
		preload: [path.join(import.meta.dirname, 'recordHosts.mjs')],
		environment: { AGENT_WORKBENCH_TEST_HOSTS: this.#file },
	};

	/** Records requests of the frames in a window too: our pages are in frames, and the window itself is VS Code's. */
	watchPage(page: Page): void {
		page.context().on('request', request => {
			const { protocol, host } = new URL(request.url());
			if (/^(?:https?|wss?):$/.test(protocol) && !isRequestOfWindow(page, request)) {
				this.#pages.add(host);
			}
		});
	}

	/** Returns contacts so far, without those between programs of the window. */
	readContacts(): Contacts {
		const text = fs.existsSync(this.#file) ? fs.readFileSync(this.#file, 'utf8').trimEnd() : '';
		const events = text.split('\n').flatMap(line => (line ? [JSON.parse(line) as NetworkEvent] : []));
		const listening = new Set(events.filter(({ what }) => what === 'listens').map(({ address }) => address));
		const contacts = [
			...events.filter(({ program, what }) => what === 'contacts' && program !== editorServer),
			...[...this.#pages].map(address => ({ program: 'page', what: 'contacts', address })),
		];
		return {
			programs: [...new Set([...events, ...contacts].map(({ program }) => program))].sort(),
			foreign: [...new Set(contacts.map(({ address }) => address))]
				.filter(address => !listening.has(address) && !isResource(address))
				.sort(),
		};
	}

	/** Returns contacted hosts outside of this machine that none of the texts contains. */
	listUnnamed(texts: readonly string[]): string[] {
		const hosts = new Set(this.readContacts().foreign.map(address => address.replace(/:\w*$/, '')));
		return [...hosts].filter(host => !/^(?:127\.|localhost$|\[?::1\]?$)/.test(host) && !texts.some(text => text.includes(host)));
	}

	remove(): void {
		removeFolder(this.#folder);
	}
}

function isRequestOfWindow(page: Page, request: Request): boolean {
	try {
		return request.frame() === page.mainFrame();
	} catch {
		// a frame that is being created, or a service worker
		return false;
	}
}

/** True for files of an extension that a page loads: VS Code answers these addresses itself, in the page's service worker. */
const isResource = (address: string): boolean => address.endsWith('.vscode-resource.vscode-cdn.net');
