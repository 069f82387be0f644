// Types of modules imported from inside undici, which only declares types for its index. The index must not be imported (decision 2).
declare module 'undici/lib/dispatcher/agent.js' {
	import Agent = require('undici/types/agent');
	// biome-ignore lint/style/noDefaultExport: undici's modules export like this
	export default Agent.default;
}

declare module 'undici/lib/dispatcher/proxy-agent.js' {
	import ProxyAgent = require('undici/types/proxy-agent');
	// biome-ignore lint/style/noDefaultExport: undici's modules export like this
	export default ProxyAgent.default;
}

declare module 'undici/lib/dispatcher/pool.js' {
	import Pool = require('undici/types/pool');
	// biome-ignore lint/style/noDefaultExport: undici's modules export like this
	export default Pool.default;
}

declare module 'undici/lib/api/api-connect.js' {
	import Dispatcher = require('undici/types/dispatcher');
	const connect: Dispatcher.default['connect'];
	// biome-ignore lint/style/noDefaultExport: undici's modules export like this
	export default connect;
}

declare module 'undici/lib/core/errors.js' {
	import Errors = require('undici/types/errors');
	// biome-ignore lint/style/noDefaultExport: undici's modules export like this
	export default Errors.default;
}
