import { wildcard } from '#base/text/wildcard.ts';
import { ServiceFault } from '#contract/faults/serviceFault.ts';
import type { LoadedAgent } from '#engine/agentFile/agentTypes.ts';
import type { Log } from '../process/log.ts';

/** Where the values come from that agent files leave open. */
interface AgentSecretsParts {
	/** Values of the configuration, by agent name and variable. */
	readonly configured: ReadonlyMap<string, Readonly<Record<string, string>>>;
	/** Environment variables that agent files may name; `*` stands for any characters. */
	readonly allowed: readonly string[];
	readonly environment: Readonly<Record<string, string | undefined>>;
	readonly log: Pick<Log, 'addSecret'>;
}

/**
 * Values of the secret environment variables of agents whose files hold none: empty ones, and `${env:NAME}`. Those that a client has handed over are bound to the file that
 * it names, and live no longer than the process. What is given is masked wherever the agent's own secrets are.
 */
export class AgentSecrets {
	readonly #parts: AgentSecretsParts;
	readonly #allowed: readonly ((name: string) => boolean)[];
	/** By file. */
	readonly #given = new Map<string, Readonly<Record<string, string>>>();

	constructor(parts: AgentSecretsParts) {
		this.#parts = parts;
		this.#allowed = parts.allowed.map(wildcard);
		for (const values of parts.configured.values()) {
			this.#mask(values);
		}
	}

	/** Takes the values for an agent file, in place of those that it had. */
	give(file: string, values: Readonly<Record<string, string>>): void {
		this.#mask(values);
		this.#given.set(file, values);
	}

	/**
	 * The agent with its secrets filled in; `file` is where it was read from, if that is still there. Throws a fault (400, {@link MissingSecret}) for a
	 * variable of the environment that is not there, or may not be read.
	 */
	fill(name: string, file: string | undefined, agent: LoadedAgent): LoadedAgent {
		const given = { ...(file !== undefined && this.#given.get(file)), ...this.#parts.configured.get(name) };
		const filled: Record<string, string> = {};
		for (const variable of agent.secretNames) {
			const written = agent.environment[variable];
			const named = typeof written === 'string' ? /^\$\{env:(\w+)\}$/.exec(written)?.[1] : undefined;
			if (written !== '' && named === undefined) {
				continue;
			}
			if (Object.hasOwn(given, variable)) {
				filled[variable] = given[variable] ?? '';
			} else if (named !== undefined) {
				filled[variable] = this.#fromEnvironment(variable, named);
			}
		}
		if (Object.keys(filled).length === 0) {
			return agent;
		}
		const environment = { ...agent.environment, ...filled };
		const secrets = agent.secretNames.map(variable => environment[variable]).filter(value => typeof value === 'string');
		return { ...agent, environment, secrets };
	}

	#fromEnvironment(variable: string, named: string): string {
		const start = `The secret "${variable}" of this agent is to come from the environment variable ${named}`;
		if (!this.#allowed.some(allows => allows(named))) {
			throw new MissingSecret(`${start}, which agents may not read: add it to engine.environment of this service's configuration`);
		}
		const value = this.#parts.environment[named];
		if (value === undefined || value === '') {
			throw new MissingSecret(`${start}, which this service does not have: start it with that variable`);
		}
		this.#mask({ [variable]: value });
		return value;
	}

	#mask(values: Readonly<Record<string, string>>): void {
		for (const value of Object.values(values)) {
			this.#parts.log.addSecret(value);
		}
	}
}

/** A secret that an agent's file leaves open has no value here. */
export class MissingSecret extends ServiceFault {
	constructor(sentence: string) {
		super(400, `${sentence}.`, { code: 'app_unavailable' });
	}
}

/** Names of the secrets that an agent has values for. */
export function heldSecrets({ secretNames, environment }: Pick<LoadedAgent, 'secretNames' | 'environment'>): readonly string[] {
	return secretNames.filter(name => environment[name] !== '');
}
