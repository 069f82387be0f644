import * as vscode from 'vscode';
import { isRecord, toFields } from '#base/records/plainValues.ts';
import { readNetworkSettings } from '../networkSettings.ts';
import { buildDatasetConfig } from './datasets.ts';
import { flagSettings, gatewaySection, readWorkspaceDatasets } from './gatewaySettings.ts';
import { bindNamedKeys, formatUpstreamKeyName, type UpstreamKeyUse } from './namedKeys.ts';

/** Settings in the form that a gateway's start needs. */
interface GatewaySetup {
	/** Content of the `--config` file. Its key names come from {@link formatUpstreamKeyName}. */
	readonly config: Readonly<Record<string, unknown>>;
	/** Flags in addition to those that every built-in gateway gets. */
	readonly flags: readonly string[];
	readonly keys: readonly UpstreamKeyUse[];
	/** URL of the proxy. Not part of {@link config}, because it can contain a password. */
	readonly proxy: string | undefined;
}

/** Reads the current settings for starting a gateway. Uses the user settings, with the exceptions that `GatewaySettings` documents. */
export function readGatewaySetup(): GatewaySetup {
	const keys = new Map<string, UpstreamKeyUse>();
	const bindKey = (target: Readonly<Record<string, unknown>>, provider: string) => {
		if (typeof target['key'] !== 'string') {
			return target;
		}
		const use = { name: target['key'], origin: parseOrigin(target['base_url']) ?? provider };
		keys.set(formatUpstreamKeyName(use), use);
		return { ...target, key: formatUpstreamKeyName(use) };
	};
	const routes = toList(readUserValue('routes')).map(route => (isRecord(route) ? bindKey(route, String(route['provider'])) : route));
	const agents = Object.entries(toFields(readUserValue('remoteAgents'))).map(([agent, target]) => [
		agent,
		isRecord(target) && isRecord(target['dify']) ? { ...target, dify: bindKey(target['dify'], 'dify') } : target,
	]);
	const bindToolKeys = (name: string, target: unknown, address: string) =>
		bindNamedKeys(target, parseOrigin(toFields(target)[address]) ?? name, keys);
	const mcpServers = Object.entries(toFields(readUserValue('mcpServers'))).map(([name, server]) => [
		name,
		bindToolKeys(`mcp:${name}`, server, 'url'),
	]);
	const apiTools = Object.entries(toFields(readUserValue('apiTools'))).map(([name, api]) => [
		name,
		bindToolKeys(`api:${name}`, api, 'base_url'),
	]);
	const search = toFields(readUserValue('search'));
	const python = readUserValue('python');
	const { proxy, noProxy, strictSSL } = readNetworkSettings();
	const maxSteps = readUserValue('maxSteps');
	const maxPausedDays = readUserValue('maxPausedDays');
	return {
		proxy,
		config: {
			routes,
			agents: Object.fromEntries(agents),
			agents_as_models: toList(readUserValue('agentsAsModels')),
			mcp_servers: Object.fromEntries(mcpServers),
			api_tools: Object.fromEntries(apiTools),
			...(Object.keys(search).length > 0 && { search: bindToolKeys('search', search, 'url') }),
			knowledge: buildDatasetConfig({ user: readUserValue('knowledge'), workspace: readWorkspaceDatasets() }, dify =>
				bindKey(dify, 'dify'),
			),
			prices: toList(readUserValue('prices')),
			allowed_origins: toList(readUserValue('allowedOrigins')),
			request_log: toFields(readUserValue('requestLog')),
			network: { strict_ssl: strictSSL, ...(noProxy?.length && { no_proxy: noProxy }) },
			engine: {
				allow_private_network: readUserValue('allowPrivateNetwork') === true,
				...(typeof python === 'string' && python !== '' && { python }),
				...(typeof maxSteps === 'number' && { max_steps: maxSteps }),
				...(typeof maxPausedDays === 'number' && { max_paused_days: maxPausedDays }),
			},
		},
		flags: Object.entries(flagSettings).flatMap(([name, flag]) => {
			// workspaces can set the port, because each has a separate gateway and they can't share a port
			const value = name === 'port' ? vscode.workspace.getConfiguration(gatewaySection).get(name) : readUserValue(name);
			return typeof value === 'number' ? [flag, String(value)] : [];
		}),
		keys: [...keys.values()],
	};
}

/** Reads only the user's value, as a safeguard: the setting's scope already excludes workspace values. */
function readUserValue(name: string): unknown {
	return vscode.workspace.getConfiguration(gatewaySection).inspect(name)?.globalValue;
}

function parseOrigin(url: unknown): string | undefined {
	return typeof url === 'string' ? URL.parse(url)?.origin : undefined;
}

function toList(value: unknown): readonly unknown[] {
	return Array.isArray(value) ? value : [];
}
