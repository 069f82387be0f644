import * as vscode from 'vscode';
import { DisposableBase } from '../common/disposables.ts';

const section = 'agentWorkbench.gateway';

/** A key that the settings name, and the one place that it may be sent to. */
export interface UpstreamKeyUse {
	/** As the settings write it. */
	readonly name: string;
	/** Scheme, host and port of the upstream; the provider's name where it is the provider's own address. */
	readonly origin: string;
}

/** What a gateway is started with, from the settings. */
export interface GatewaySetup {
	/** The file of `--config`; its keys are named by {@link upstreamKeyName}. */
	readonly config: Readonly<Record<string, unknown>>;
	/** Flags besides those that every gateway of the editor has. */
	readonly flags: readonly string[];
	readonly keys: readonly UpstreamKeyUse[];
}

/** Name of a key for the gateway: with its origin, so that a route that moves elsewhere finds no key (DESIGN, decision 3). */
export function upstreamKeyName({ name, origin }: UpstreamKeyUse): string {
	return `${name}@${origin}`;
}

/**
 * Settings of the built-in gateway that take effect when it starts: routes, agents on Dify deployments, what nodes may do. They are the user's on
 * this machine; what a workspace says of them is not read. Their form is the gateway's own, which checks them.
 */
export class GatewaySettings extends DisposableBase {
	readonly #changed = this.own(new vscode.EventEmitter<void>());
	readonly onDidChange = this.#changed.event;

	constructor() {
		super();
		this.own(
			vscode.workspace.onDidChangeConfiguration(event => {
				if (names.some(name => event.affectsConfiguration(`${section}.${name}`))) {
					this.#changed.fire();
				}
			}),
		);
	}

	read(): GatewaySetup {
		const keys = new Map<string, UpstreamKeyUse>();
		const withKey = (target: Readonly<Record<string, unknown>>, provider: string) => {
			if (typeof target['key'] !== 'string') {
				return target;
			}
			const use = { name: target['key'], origin: originOf(target['base_url']) ?? provider };
			keys.set(upstreamKeyName(use), use);
			return { ...target, key: upstreamKeyName(use) };
		};
		const routes = listOf(userValue('routes')).map(route => (isObject(route) ? withKey(route, String(route['provider'])) : route));
		const agents = Object.entries(objectOf(userValue('remoteAgents'))).map(([agent, target]) => [
			agent,
			isObject(target) && isObject(target['dify']) ? { ...target, dify: withKey(target['dify'], 'dify') } : target,
		]);
		const python = userValue('python');
		return {
			config: {
				routes,
				agents: Object.fromEntries(agents),
				engine: {
					allow_private_network: userValue('allowPrivateNetwork') === true,
					...(typeof python === 'string' && python !== '' && { python }),
				},
			},
			flags: Object.entries(flagSettings).flatMap(([name, flag]) => {
				const value = userValue(name);
				return typeof value === 'number' ? [flag, String(value)] : [];
			}),
			keys: [...keys.values()],
		};
	}
}

const flagSettings = { maxConcurrentRuns: '--max-concurrent-runs', retentionDays: '--retention-days' };
const names = ['routes', 'remoteAgents', 'python', 'allowPrivateNetwork', ...Object.keys(flagSettings)];

/** The settings' scope already keeps workspaces out; reading the user's value alone makes sure of it. */
function userValue(name: string): unknown {
	return vscode.workspace.getConfiguration(section).inspect(name)?.globalValue;
}

function originOf(url: unknown): string | undefined {
	return typeof url === 'string' ? URL.parse(url)?.origin : undefined;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function listOf(value: unknown): readonly unknown[] {
	return Array.isArray(value) ? value : [];
}

function objectOf(value: unknown): Readonly<Record<string, unknown>> {
	return isObject(value) ? value : {};
}
