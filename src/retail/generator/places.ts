import type { Random } from '../../shared/index.js';
import type { Address } from '../world.js';

/** City, state and the first three digits of its zip codes. */
const CITIES: readonly (readonly [city: string, state: string, zipPrefix: string])[] = [
  ['Boston', 'MA', '021'],
  ['New York', 'NY', '100'],
  ['Philadelphia', 'PA', '191'],
  ['Washington', 'DC', '200'],
  ['Charlotte', 'NC', '282'],
  ['Atlanta', 'GA', '303'],
  ['Jacksonville', 'FL', '322'],
  ['Miami', 'FL', '331'],
  ['Nashville', 'TN', '372'],
  ['Louisville', 'KY', '402'],
  ['Columbus', 'OH', '432'],
  ['Indianapolis', 'IN', '462'],
  ['Detroit', 'MI', '482'],
  ['Milwaukee', 'WI', '532'],
  ['Minneapolis', 'MN', '554'],
  ['Chicago', 'IL', '606'],
  ['Kansas City', 'MO', '641'],
  ['Omaha', 'NE', '681'],
  ['Oklahoma City', 'OK', '731'],
  ['Dallas', 'TX', '752'],
  ['Houston', 'TX', '770'],
  ['San Antonio', 'TX', '782'],
  ['Denver', 'CO', '802'],
  ['Phoenix', 'AZ', '850'],
  ['Albuquerque', 'NM', '871'],
  ['Los Angeles', 'CA', '900'],
  ['San Diego', 'CA', '921'],
  ['San Jose', 'CA', '951'],
  ['Portland', 'OR', '972'],
  ['Seattle', 'WA', '981'],
];

const STREET_NAMES: readonly string[] = [
  ...['Maple', 'Oak', 'Cedar', 'Pine', 'Elm', 'Willow', 'Chestnut', 'Walnut', 'Birch', 'Magnolia', 'Juniper'],
  ...['Park', 'Lake', 'River', 'Hill', 'Meadow', 'Spring', 'Sunset', 'Garden', 'Orchard', 'Mill', 'Harbor'],
  ...['Church', 'Highland', 'Prospect', 'Franklin', 'Madison', 'Lincoln', 'Jefferson', 'Union', 'Center'],
];
const STREET_TYPES: readonly string[] = ['Street', 'Avenue', 'Road', 'Lane', 'Drive', 'Court'];
const SECOND_LINES: readonly string[] = ['Suite', 'Unit', 'Apartment'];

/** A made-up address in the USA, with words in full so that it is heard as it is written. */
export function inventAddress(random: Random): Address {
  const [city, state, zipPrefix] = random.pick(CITIES);
  return {
    address1: `${random.int(101, 998)} ${random.pick(STREET_NAMES)} ${random.pick(STREET_TYPES)}`,
    address2: random.chance(0.6) ? `${random.pick(SECOND_LINES)} ${random.int(101, 989)}` : '',
    city,
    country: 'USA',
    state,
    zip: `${zipPrefix}${String(random.int(1, 99)).padStart(2, '0')}`,
  };
}
