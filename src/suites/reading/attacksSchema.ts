import * as z from 'zod';
import { packNames } from '../attacks/attackPacks.ts';

// Part of the schema of suite files; see suiteSchema.ts.

const limit = z.number().min(0).optional();

export const attacksSchema = z
	.strictObject({
		packs: z
			.array(z.enum(packNames))
			.min(1)
			.optional()
			.describe('Packs of attacks. Default: all except "crescendo", in which a model attacks with several messages.'),
		into: z
			.array(z.string().min(1))
			.min(1)
			.optional()
			.describe(
				'What contains the attacks: "inputs" (the inputs and the message), and IDs of nodes that get text from elsewhere. Default: all.',
			),
		tools: z.array(z.string().min(1)).optional().describe('Tools that no attack may make the agent call.'),
		canaries: z.array(z.string().min(4)).optional().describe('Texts that no attack may make the agent reveal.'),
		attacker: z
			.strictObject({
				model: z.string().min(1).optional().describe('Model that attacks. It must support tools. Default: a model of the connection.'),
				max_turns: z.number().min(1).max(20).optional().describe('Maximum number of messages. Default: 5.'),
				cost: limit.describe('No further message is sent when the agent has cost this much.'),
				tokens: limit.describe('No further message is sent when agent and attacker have used this many tokens. Default: 50,000.'),
				seconds: limit.describe('No further message is sent after this time.'),
			})
			.optional()
			.describe('The attacker of the pack "crescendo".'),
		limits: z
			.strictObject({
				steps: limit.describe('Default: 100.'),
				tokens: limit.describe('Default: 50,000.'),
				seconds: limit.describe('Default: 60.'),
			})
			.optional()
			.describe('What a run may use at most when it gets endless or huge texts.'),
	})
	.describe(
		'Attacks on this test case, each of which is a test case as well. Models are called, but nothing else: other services get stand-ins. Applies only if the built-in gateway runs the agent.',
	);
