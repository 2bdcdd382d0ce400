import type { ProductSpec } from './product-spec.js';

export const HOME: readonly ProductSpec[] = [
  {
    name: 'Desk Lamp',
    basePrice: 33.95,
    options: {
      color: { black: 0, white: 0, silver: 0 },
      brightness: { low: 0, medium: 4.35, high: 9.6 },
      power: { battery: 0, 'USB power': 2.5, 'AC adapter': 3.2 },
    },
  },
  {
    name: 'LED Light Bulb',
    basePrice: 9.45,
    options: {
      brightness: { '40 watt': 0, '60 watt': 1.5, '100 watt': 4.28 },
      tone: { 'warm white': 0, daylight: 0, multicolor: 8.3 },
      control: { 'smart home': 7.6, 'wall switch': 0 },
    },
  },
  {
    name: 'Office Chair',
    basePrice: 164.95,
    options: {
      material: { mesh: 0, fabric: 0, leather: 78.35 },
      arms: { 'fixed arms': 0, 'adjustable arms': 31.5, 'no arms': 0 },
      color: { black: 0, gray: 0, blue: 0 },
    },
  },
  {
    name: 'Bookshelf',
    basePrice: 118.49,
    options: {
      height: { '4 feet': 0, '5 feet': 28.4, '6 feet': 53.25 },
      material: { wood: 24.5, metal: 16.31, glass: 47 },
      color: { white: 0, brown: 0, black: 0 },
    },
  },
  {
    name: 'Wall Clock',
    basePrice: 34.95,
    options: {
      diameter: { '10 inch': 0, '12 inch': 5.4, '14 inch': 10.65 },
      color: { black: 0, white: 0, red: 0 },
      display: { analog: 0, digital: 12.28 },
    },
  },
  {
    name: 'Bed Sheets',
    basePrice: 46.95,
    options: {
      size: { twin: 0, queen: 14.25, king: 22.6 },
      material: { cotton: 0, linen: 38.43, microfiber: 0 },
      color: { white: 0, gray: 0, sage: 0 },
    },
  },
  {
    name: 'Memory Foam Pillow',
    basePrice: 38.25,
    options: {
      firmness: { soft: 0, medium: 0, firm: 2.4 },
      size: { standard: 0, queen: 7.3, king: 12.52 },
      cover: { bamboo: 5.5, cotton: 0 },
    },
  },
  {
    name: 'Throw Blanket',
    basePrice: 35.95,
    options: {
      material: { fleece: 0, wool: 34.38, cotton: 9.5 },
      color: { gray: 0, mustard: 0, navy: 0 },
      size: { '50 by 60 inches': 0, '60 by 80 inches': 11.2 },
    },
  },
  {
    name: 'Area Rug',
    basePrice: 89.49,
    options: {
      size: { '4 by 6 feet': 0, '5 by 8 feet': 52.4, '8 by 10 feet': 148.25 },
      pattern: { striped: 0, floral: 0, plain: 0 },
      material: { jute: 0, wool: 71.16 },
    },
  },
  {
    name: 'Robot Vacuum',
    basePrice: 248.95,
    options: {
      navigation: { gyroscope: 0, laser: 96.34 },
      emptying: { 'self emptying': 118.5, 'manual emptying': 0 },
      color: { black: 0, white: 0 },
    },
  },
  {
    name: 'Air Purifier',
    basePrice: 112.95,
    options: {
      'room size': { small: 0, medium: 46.25, large: 97.4 },
      filter: { HEPA: 0, carbon: 12.39 },
      control: { 'smart home': 27.5, buttons: 0 },
    },
  },
  {
    name: 'Picture Frame',
    basePrice: 16.95,
    options: {
      size: { '5 by 7 inches': 0, '8 by 10 inches': 4.5, '11 by 14 inches': 10.27 },
      color: { black: 0, gold: 2, walnut: 3.4 },
      glazing: { glass: 0, acrylic: 3.18 },
    },
  },
  {
    name: 'Shower Curtain',
    basePrice: 19.49,
    options: {
      length: { '72 inch': 0, '84 inch': 5.36 },
      pattern: { floral: 0, geometric: 0, plain: 0 },
      material: { polyester: 0, cotton: 11.5 },
    },
  },
];
