import fc from 'fast-check';

/**
 * Property tests draw the same cases on every machine: a red run can be looked into, a green one stays green.
 * `PARLOR_PROPERTY_SEED=random` (or a number) looks elsewhere; a failure prints the seed that found it.
 */
const asked = process.env.PARLOR_PROPERTY_SEED ?? '20260501';
if (asked !== 'random') fc.configureGlobal({ seed: Number(asked) });
